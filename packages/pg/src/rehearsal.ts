/** What tests look for while transactions run: see `DatabaseOptions.rehearsesTransactions`. */
export class Rehearsal {
  /** Texts of statements by name: one connection of many refuses a name that stands for two texts, now and then. */
  readonly #texts = new Map<string, string>();
  #transactions = 0;

  /** Returns whether the next transaction is one that is run twice. */
  isNext(): boolean {
    this.#transactions += 1;
    return this.#transactions <= 100 || this.#transactions % 10 === 0;
  }

  /** @throws Error when another statement has the name */
  see(name: string, text: string): void {
    if (this.#texts.getOrInsert(name, text) !== text) throw new Error(`two statements have the name ${name}`);
  }
}

type Held<T> = { readonly item: T; place: number };

/**
 * Holds entries that come and go all the time, such as requests in work, in no order. A Set or a Map makes a new table after some of them, and a table that was left holds the next one with
 * all that was in it. Once one is old, none of what comes later is collected before all memory is (V8): requests, their bodies and their answers.
 */
export class Bag<T> {
  readonly #held: Held<T>[] = [];

  get size(): number {
    return this.#held.length;
  }

  /** @returns takes it out; false where that was done before */
  add(item: T): () => boolean {
    const held = { item, place: this.#held.length };
    this.#held.push(held);
    return () => this.#remove(held);
  }

  /** Returns a copy of the entries: the bag may change while it is read. */
  all(): T[] {
    return this.#held.map(({ item }) => item);
  }

  #remove(held: Held<T>): boolean {
    if (this.#held[held.place] !== held) return false;
    const last = this.#held.pop();
    if (last && last !== held) {
      this.#held[held.place] = last;
      last.place = held.place;
    }
    return true;
  }
}

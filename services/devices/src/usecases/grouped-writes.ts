type Waiting<Row> = { readonly row: Row; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** Rows of one group at the most. */
const ROWS_MAX = 1_000;

/** Writes rows together: while one group is being written, those that come wait for the next one. */
export class GroupedWrites<Row> {
  readonly #write: (rows: readonly Row[]) => Promise<unknown>;
  #waiting: Waiting<Row>[] = [];
  #isWriting = false;

  constructor(write: (rows: readonly Row[]) => Promise<unknown>) {
    this.#write = write;
  }

  /** Resolves once the row is written. */
  readonly save = (row: Row): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ row, resolve, reject });
    if (!this.#isWriting) void this.#work();
    return promise;
  };

  async #work(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, ROWS_MAX);
      try {
        await this.#write(group.map(({ row }) => row));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isWriting = false;
  }
}

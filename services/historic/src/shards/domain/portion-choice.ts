/** A move is to bring the series to its shard. */
export type Elsewhere = {
  readonly nodeId: string;
  readonly shard: string;
  /** Another move has the series, or its old records are still there. */
  readonly isHeld: boolean;
};

/** Chooses the series of the next portion of a move: free series of one shard, which is that of the first free series. */
export class PortionChoice {
  readonly #most: number;
  readonly #nodeIds: string[] = [];
  #fromShard: string | undefined;
  #isHeld = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns whether the portion takes more */
  take(series: readonly Elsewhere[]): boolean {
    this.#isHeld ||= series.some(({ isHeld }) => isHeld);
    const free = series.filter(({ isHeld }) => !isHeld);
    this.#fromShard ??= free[0]?.shard;
    this.#nodeIds.push(...free.filter(({ shard }) => shard === this.#fromShard).map(({ nodeId }) => nodeId));
    return this.#nodeIds.length < this.#most;
  }

  /** Without a free series, the answer says whether others are held, and come later. */
  get chosen(): { readonly fromShard: string; readonly nodeIds: readonly string[] } | 'held' | 'none' {
    if (this.#fromShard === undefined) return this.#isHeld ? 'held' : 'none';
    return { fromShard: this.#fromShard, nodeIds: this.#nodeIds.slice(0, this.#most) };
  }
}

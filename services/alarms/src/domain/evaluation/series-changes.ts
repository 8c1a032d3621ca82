import type { SeriesChange } from '../changes.ts';
import type { Node } from '../node.ts';
import type { Series } from '../series.ts';

type Before = {
  readonly nodes: ReadonlyMap<string, { readonly node: Node }>;
  readonly series: ReadonlyMap<string, Series>;
};

/** Entries change series; this keeps what each message of the log has made of them. */
export class SeriesChanges {
  readonly #state: Before;
  readonly #series: Map<string, Series>;
  /** The message changed these; they are kept as before it. */
  readonly #before = new Map<string, Series | undefined>();
  readonly #done: SeriesChange[] = [];

  constructor(state: Before) {
    this.#state = state;
    this.#series = new Map(state.series);
  }

  get(nodeId: string): Series | undefined {
    return this.#series.get(nodeId);
  }

  has(nodeId: string): boolean {
    return this.#series.has(nodeId);
  }

  set(nodeId: string, series: Series): void {
    if (!this.#before.has(nodeId)) this.#before.set(nodeId, this.#series.get(nodeId));
    this.#series.set(nodeId, series);
  }

  endMessage(): void {
    for (const [nodeId, before] of this.#before) {
      const node = this.#state.nodes.get(nodeId)?.node;
      const after = this.#series.get(nodeId);
      if (!node || !after || before === after) continue;
      const from = before?.stateId ?? null;
      // A deletion is announced too, and «none» to begin with: the first records may be too few to accept the state that they match.
      const isNews = from !== after.stateId && (node.rules !== undefined || Boolean(from || after.stateId));
      this.#done.push({ node, series: after, announce: isNews });
    }
    this.#before.clear();
  }

  get changes(): readonly SeriesChange[] {
    this.endMessage();
    return this.#done;
  }
}

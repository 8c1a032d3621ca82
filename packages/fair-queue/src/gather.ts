import { AsyncResource } from 'node:async_hooks';
import { type ReasonOf, unavailable } from '@catchment/errors';
import { Rounds, type RoundsTiming } from './rounds.ts';

/** The item waits for its result. Only the first settlement counts. */
export type Gathered<Item, Result = void> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** The size of an item. */
export type ItemSize = { readonly records: number; readonly bytes: number };
/** Absent = any amount. */
type Limits = { readonly items: number; readonly records?: number; readonly bytes?: number };

export type GatherOptions<Item, Result> = RoundsTiming & {
  /**
   * Works on a batch, and settles its items, then or later. An error settles those that are left.
   * A batch of one item runs in the async context of that item, others in the context of whoever made the gather.
   */
  readonly work: (batch: readonly Gathered<Item, Result>[]) => Promise<void> | undefined;
  /** A batch holds at most this; one item may be larger. */
  readonly batch: Limits;
  /** At most this waits, beside what is under way; one item may be larger. More is refused. Absent: whoever adds items limits them. */
  readonly waiting?: Limits & { readonly reason: ReasonOf<'unavailable'> };
  readonly sizeOf?: (item: Item) => ItemSize;
  /** Goes in a separate batch in any case. */
  readonly isAlone?: (item: Item) => boolean;
  /** Makes a function for a new batch, which is asked for each item in turn: does it go with those before? */
  readonly joins?: () => (item: Item) => boolean;
  /** Returns whether an error of several items may be due to one: each is then tried by itself. */
  readonly splits?: (error: unknown) => boolean;
  /** Called when nothing waits any more and nothing is under way. */
  readonly onQuiet?: () => void;
};

type Entry<Item, Result> = Gathered<Item, Result> & {
  /** Zero where nothing is limited by it. */
  readonly size: ItemSize;
  /** Runs work as whoever added the item. */
  readonly context: AsyncResource;
  isAlone: boolean;
};

/** A snapshot of AsyncLocalStorage costs several times as much: Node gives its function properties of its own. */
const contextHere = (): AsyncResource => new AsyncResource('Gathered', { requireManualDestroy: true });

const NO_SIZE: ItemSize = { records: 0, bytes: 0 };

/**
 * Gathers items while others are worked on, so that many are worked on together when there are many. Items are begun in the order in which
 * they came; they can overtake each other only where several batches may be under way.
 */
export class Gather<Item, Result = void> {
  readonly #options: GatherOptions<Item, Result>;
  readonly #rounds: Rounds;
  readonly #context = contextHere();
  #queue: Entry<Item, Result>[] = [];
  #records = 0;
  #bytes = 0;

  constructor(options: GatherOptions<Item, Result>) {
    this.#options = options;
    this.#rounds = new Rounds({
      ...options,
      waiting: () => this.#queue.length,
      isFull: () => this.#queue.length >= options.batch.items || this.#queue[0]?.isAlone === true,
      work: () => this.#begin(),
    });
  }

  /**
   * @returns what the item is settled with
   * @throws DomainError unavailable, at once, when too much waits
   */
  add(item: Item): Promise<Result> {
    const size = this.#options.sizeOf?.(item) ?? NO_SIZE;
    this.#checkRoom(size);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const isAlone = this.#options.isAlone?.(item) ?? false;
    this.#queue.push({ item, size, resolve, reject, context: contextHere(), isAlone });
    this.#count(size, 1);
    this.#rounds.arrived();
    return promise;
  }

  /** Items that were begun and are not settled go to the front again, whatever waits. */
  again(batch: readonly Gathered<Item, Result>[]): void {
    const entries = batch as readonly Entry<Item, Result>[];
    this.#queue.unshift(...entries);
    for (const { size } of entries) this.#count(size, 1);
    this.#rounds.arrived();
  }

  /** Takes out items that wait; they are not settled. */
  drop(isGone: (waiting: Gathered<Item, Result>) => boolean = () => true): Item[] {
    const gone = new Set(this.#queue.filter(isGone));
    if (gone.size > 0) this.#queue = this.#queue.filter((entry) => !gone.has(entry));
    for (const { size } of gone) this.#count(size, -1);
    return [...gone].map(({ item }) => item);
  }

  /** Resolves when all items are worked on. */
  idle(): Promise<void> {
    return this.#rounds.idle();
  }

  /** No further batch begins. Resolves when none is under way. */
  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  #checkRoom(size: ItemSize): void {
    const { waiting } = this.#options;
    if (!waiting || this.#queue.length === 0) return;
    const { items, records = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = waiting;
    const isFull =
      this.#queue.length >= items || this.#records + size.records > records || this.#bytes + size.bytes > bytes;
    if (isFull) throw unavailable(waiting.reason);
  }

  #count({ records, bytes }: ItemSize, times: 1 | -1): void {
    this.#records += times * records;
    this.#bytes += times * bytes;
  }

  #begin(): Promise<void> | undefined {
    const batch = this.#take();
    const [first] = batch;
    const context = batch.length === 1 && first ? first.context : this.#context;
    try {
      return context
        .runInAsyncScope(() => this.#options.work(batch))
        ?.catch((error: unknown) => this.#failed(batch, error));
    } catch (error) {
      this.#failed(batch, error);
      return undefined;
    }
  }

  #take(): readonly Entry<Item, Result>[] {
    const batch = this.#queue.splice(0, this.#batchLength());
    for (const { size } of batch) this.#count(size, -1);
    return batch;
  }

  #batchLength(): number {
    const [first] = this.#queue;
    if (this.#queue.length === 1 || first?.isAlone) return 1;
    const { batch: most, joins } = this.#options;
    const goesAlong = joins?.();
    let [count, records, bytes] = [0, 0, 0];
    for (const { item, size, isAlone } of this.#queue) {
      records += size.records;
      bytes += size.bytes;
      const isOver =
        count >= most.items ||
        records > (most.records ?? Number.POSITIVE_INFINITY) ||
        bytes > (most.bytes ?? Number.POSITIVE_INFINITY);
      if (count > 0 && (isOver || isAlone)) break;
      if (goesAlong?.(item) === false && count > 0) break;
      count += 1;
    }
    return count;
  }

  #failed(batch: readonly Entry<Item, Result>[], error: unknown): void {
    if (batch.length > 1 && this.#options.splits?.(error)) {
      for (const entry of batch) entry.isAlone = true;
      this.again(batch);
    } else for (const { reject } of batch) reject(error);
  }
}

/** Answers calls that come together by one. @param ask answers in the order of the items; with nothing where there are no results */
export function gathered<Item, Result = void>(
  ask: (items: readonly Item[]) => Promise<readonly Result[]>,
  options: Omit<GatherOptions<Item, Result>, 'work'>,
): (item: Item) => Promise<Result> {
  const gather = new Gather<Item, Result>({
    ...options,
    work: async (batch) => {
      const results = await ask(batch.map(({ item }) => item));
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as Result);
    },
  });
  return async (item) => gather.add(item);
}

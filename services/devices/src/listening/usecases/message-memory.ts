import { FairQueue } from '@catchment/fair-queue';

const MIB = 1024 * 1024;
/**
 * Bytes of messages that are read at a time. Read, with its records as objects and the text that is written of them, a message takes some
 * fifteen times its bytes: one of the largest ones 80 MiB, in a pod of 512 MiB (bench/src/machines/measure-pods.ts).
 */
const CAPACITY = 6 * MIB;
/** Smaller ones are gone before they count. */
const FREE_BYTES = 64 * 1024;
const WAIT_MS = 60_000;

/** Gives room for reading what devices have sent: accounts take turns, by the bytes of their messages. */
export class MessageMemory {
  readonly #queue = new FairQueue({
    reason: 'BODY_MEMORY_FULL',
    capacity: CAPACITY,
    waitingPerAccount: 1_000,
    waiting: 10_000,
    waitMs: WAIT_MS,
  });

  /**
   * Runs `work`, which reads this many bytes, when there is room for it.
   * @throws DomainError unavailable where there was none in time; the signal's reason; what `work` throws
   */
  run<T>(account: string, bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (bytes <= FREE_BYTES) return work();
    return this.#queue.run({ account, cost: bytes, ...(signal && { signal }) }, work);
  }

  get load(): { readonly inWork: number; readonly waiting: number } {
    return this.#queue.load;
  }
}

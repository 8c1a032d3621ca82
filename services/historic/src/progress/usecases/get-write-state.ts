import { setTimeout as sleep } from 'node:timers/promises';
import { apiCaller, type Caller } from '@catchment/access';
import type { GetWriteStateRequest, GetWriteStateResponse } from '@catchment/contracts/historic';
import { invalid } from '@catchment/errors';
import type { SettledDeps } from './settled-until.ts';

export type WriteStateDeps = Pick<SettledDeps, 'areStored' | 'endOfLog'> & { readonly waiting: Waiting };

/** The first look nearly always sees the write, or the second. */
const FIRST_LOOK_MS = 50;
const MAX_LOOK_MS = 500;
const MAX_WAIT_MS = 30_000;
const MAX_SERIES = 1_000;
/** Each asks the broker a few times a second. */
const MAX_WAITING = { all: 200, ofAccount: 50 };

/** Counts the calls that wait for writes. */
export class Waiting {
  readonly #ofAccount = new Map<string, number>();
  #all = 0;

  /** @returns undefined where too many wait already */
  enter(account: string): (() => void) | undefined {
    const waiting = this.#ofAccount.get(account) ?? 0;
    if (this.#all >= MAX_WAITING.all || waiting >= MAX_WAITING.ofAccount) return undefined;
    this.#all += 1;
    this.#ofAccount.set(account, waiting + 1);
    return () => {
      this.#all -= 1;
      const left = (this.#ofAccount.get(account) ?? 1) - 1;
      if (left === 0) this.#ofAccount.delete(account);
      else this.#ofAccount.set(account, left);
    };
  }
}

/**
 * Tells what has become of a write (docs/reference/writing.md#durable-and-readable), from the log itself and the readers that store it.
 * @throws DomainError invalid_argument
 */
export async function getWriteState(
  { areStored, endOfLog, waiting }: WriteStateDeps,
  { parts, waitMs }: GetWriteStateRequest,
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<GetWriteStateResponse> {
  const { ownerId } = apiCaller(caller);
  if (parts.reduce((sum, { nodeIds }) => sum + nodeIds.length, 0) > MAX_SERIES)
    throw invalid('INVALID_ARGUMENT', `write: must be of at most ${MAX_SERIES} series`);
  // A log that was restored lacks what came after its copy; readers that have nothing to read would seem to have it.
  const last = Math.max(0, ...parts.map(({ sequence }) => sequence));
  if (last > (await endOfLog())) return { isDurable: false, isReadable: false };
  const look = async (): Promise<GetWriteStateResponse> => {
    const stored = await Promise.all(
      parts.map(({ sourceId, nodeIds, sequence }) =>
        areStored(
          nodeIds.map((nodeId) => ({ nodeId, sourceId })),
          sequence,
        ),
      ),
    );
    return { isDurable: true, isReadable: !stored.includes(false) };
  };
  let state = await look();
  const leave = state.isReadable || waitMs === 0 ? undefined : waiting.enter(ownerId);
  if (!leave) return state;
  try {
    const endMs = performance.now() + Math.min(waitMs, MAX_WAIT_MS);
    for (let pauseMs = FIRST_LOOK_MS; !state.isReadable; pauseMs = Math.min(2 * pauseMs, MAX_LOOK_MS)) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return state;
      await sleep(Math.min(pauseMs, leftMs), undefined, { signal });
      state = await look();
    }
    return state;
  } finally {
    leave();
  }
}

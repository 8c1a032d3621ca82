import { type Acquisition, after, stepTo } from '../../schedules/index.ts';
import type { WriteToSource } from '../../sources/index.ts';
import { writtenSource } from '../domain/acquired-source.ts';
import { endControl } from './end-control.ts';
import { type HeldSource, taken } from './held-source.ts';
import type { Store } from './ports.ts';
import type { SessionProgress } from './session-ports.ts';

const MEMORY_MAX_BYTES = 64 * 1024;

type ProgressDeps = { readonly store: Store; readonly write: WriteToSource; readonly now: () => number };
type ProgressOptions = {
  readonly claimed: Acquisition & { readonly leaseId: string };
  readonly held: HeldSource;
  readonly acquisitionId: string;
  /** The driver remembered this of the source. */
  readonly memory: unknown;
  /** Is called when records have come. */
  readonly received: () => void;
};

/** What a driver reports in a session goes to the source, as long as the session has its lease. */
export function progressOf(deps: ProgressDeps, options: ProgressOptions): SessionProgress {
  const { claimed, held, acquisitionId, memory, received } = options;
  const { store, write, now } = deps;
  const { sourceId, leaseId } = claimed;
  const source = writtenSource(claimed);
  const progress: SessionProgress & { memory: unknown } = {
    memory,
    step: (status) =>
      held.change((known) => {
        if (known.status === status) return [known, {}];
        return [after(known, stepTo(known.status, status), now()) ?? known, { shows: true }];
      }),
    facts: (facts) => held.change((known) => [{ ...known, facts: { ...known.facts, ...facts } }, { shows: true }]),
    controlled: async (control, refusal = '') => {
      await held.locked(store);
      await endControl(deps, { source, control, failure: refusal, timeMs: now() });
    },
    write: async (document, rows, origin) => {
      await write({ ...source, acquisitionId }, document, origin);
      if (rows > 0) received();
      if (!(await store.countRecords({ sourceId, leaseId, records: rows }))) throw taken();
    },
    event: (level, message, timeMs) => held.event(level, message, timeMs),
    remember: async (remembered) => {
      const text = JSON.stringify(remembered);
      if (Buffer.byteLength(text) > MEMORY_MAX_BYTES)
        throw new Error('a driver remembers more than 64 KiB of a source');
      if (!(await store.saveMemory({ sourceId, leaseId, memory: text }))) throw taken();
      progress.memory = remembered;
    },
  };
  return progress;
}

import { transportKind } from '@catchment/contracts/transports';
import { type Retries, runAfter, type Schedule } from './schedule.ts';
import { follows, type Status, type StatusEvent } from './status.ts';

/** A logger reports this about itself at each session; absent = it reports nothing. */
export type LoggerFacts = { readonly model?: string; readonly firmwareVersion?: string; readonly programName?: string };

/** A session of a source does this: fetch files, speak with a logger, or nothing, since its data comes by itself. */
type SessionKind = 'FILES' | 'LOGGER' | 'NONE';

/** The nodes service says this of a source, as far as its sessions need it. No secrets. */
export type AcquiredSource = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  /** "source.data.TextParser" … */
  readonly sourceClass: string;
  readonly name: string;
  readonly transport: string;
  /** null: the transport names no device. */
  readonly deviceKey: string | null;
  readonly isEnabled: boolean;
  readonly scheduleType: string;
  readonly schedule: Schedule;
  /** Empty = default (docs/reference/writing.md#write-modes). */
  readonly writeMode: string;
  /** NodeConfig.revision. */
  readonly nodeRevision: number;
};

/** A source and its sessions. */
export type Acquisition = AcquiredSource & {
  readonly status: Status;
  /** At this time, Unix ms, a worker has something to do; null while nothing is to be done before something happens. */
  readonly nextMs: number | null;
  /** The session asks for records: the schedule or somebody wants them. */
  readonly collects: boolean;
  /** Retries that were made. */
  readonly retries: number;
  /** null: no session runs. */
  readonly leaseId: string | null;
  /** This process runs the session, or has run the session that is to be repeated. */
  readonly instanceId: string | null;
  /** SourceChanged.revision. */
  readonly revision: number;
  readonly attempts: number;
  readonly successes: number;
  readonly lastAttemptMs: number | null;
  readonly lastSuccessMs: number | null;
  /** The acquisition under way, and the last that has ended, brought this many records. */
  readonly recordCount: number;
  readonly lastRecordCount: number | null;
  /** A failure was reported to the alarms service, and no success since. */
  readonly isAlarmed: boolean;
  readonly facts: LoggerFacts;
};

const FILE_CLASSES: ReadonlySet<string> = new Set([
  'source.data.TextParser',
  'source.data.Jts',
  'source.data.Converter',
]);

export function sessionKind({
  transport,
  sourceClass,
}: Pick<AcquiredSource, 'transport' | 'sourceClass'>): SessionKind {
  const { session } = transportKind(transport);
  if (session !== 'PIPE') return session;
  return FILE_CLASSES.has(sourceClass) ? 'NONE' : 'LOGGER';
}

/** Returns whether a source needs a row: its status may be other than rest. */
export const isAcquired = ({ transport, scheduleType }: Pick<AcquiredSource, 'transport' | 'scheduleType'>): boolean =>
  transport !== 'None' || scheduleType !== 'NONE';

/** Returns a source that devices has not known. */
export const newAcquisition = (source: AcquiredSource, nowMs: number): Acquisition =>
  atRest(
    {
      ...source,
      status: source.isEnabled ? 'REST' : 'DISABLED',
      nextMs: null,
      collects: false,
      retries: 0,
      leaseId: null,
      instanceId: null,
      revision: 0,
      attempts: 0,
      successes: 0,
      lastAttemptMs: null,
      lastSuccessMs: null,
      recordCount: 0,
      lastRecordCount: null,
      isAlarmed: false,
      facts: {},
    },
    nowMs,
  );

/**
 * Returns the source after an event; undefined where it does not happen to one of this status.
 * @param retryMs when it is tried again, for RETRYING
 */
export function after(
  before: Acquisition,
  event: StatusEvent,
  nowMs: number,
  retryMs?: number,
): Acquisition | undefined {
  const status = follows(before.status, event);
  if (!status) return undefined;
  const moved = { ...before, status };
  switch (status) {
    case 'QUEUED':
      return { ...moved, nextMs: nowMs, collects: moved.collects || event === 'due' || event === 'acquire' };
    case 'RETRYING':
      return { ...moved, nextMs: retryMs ?? nowMs, leaseId: null };
    case 'REST':
    case 'FAILED':
    case 'DISABLED':
      return atRest({ ...moved, collects: false, retries: 0 }, nowMs);
    default:
      return { ...moved, nextMs: null };
  }
}

/** Waits for its next run. */
const atRest = (acquisition: Acquisition, nowMs: number): Acquisition => ({
  ...acquisition,
  leaseId: null,
  instanceId: null,
  nextMs:
    acquisition.status !== 'DISABLED' && acquisition.scheduleType === 'SERVER' && sessionKind(acquisition) !== 'NONE'
      ? runAfter(acquisition.schedule, nowMs)
      : null,
});

/** A source that shows something else has another revision: of two messages about it, the later one holds. */
export const shownAnew = (acquisition: Acquisition): Acquisition => ({
  ...acquisition,
  revision: acquisition.revision + 1,
});

/** Returns the source as the nodes service describes it now. A session that is under way goes on, unless the source is disabled. */
export function reconfigured(before: Acquisition, source: AcquiredSource, nowMs: number): Acquisition {
  const now = { ...before, ...source };
  if (!source.isEnabled) return before.isEnabled ? (after(now, 'disabled', nowMs) ?? now) : now;
  if (before.status === 'DISABLED') return after(now, 'enabled', nowMs) ?? now;
  const isOther =
    before.scheduleType !== source.scheduleType ||
    before.transport !== source.transport ||
    before.schedule.intervalMs !== source.schedule.intervalMs ||
    before.schedule.offsetMs !== source.schedule.offsetMs;
  if (!isOther) return now;
  // FAILED stays; both wait for the new schedule.
  return now.status === 'FAILED' ? atRest(now, nowMs) : (after(now, 'schedule changed', nowMs) ?? now);
}

/** Returns what decides about the next try: the attributes of the node, by default those of its kind. */
export function retriesOf(acquisition: Acquisition, attributes: Readonly<Record<string, unknown>>): Retries {
  const { retryAttempts, retryDelaySeconds } = attributes;
  const seconds = sessionKind(acquisition) === 'LOGGER' ? 60 : 900;
  return {
    attempts: typeof retryAttempts === 'number' ? retryAttempts : 3,
    delayMs: 1_000 * (typeof retryDelaySeconds === 'number' ? retryDelaySeconds : seconds),
  };
}

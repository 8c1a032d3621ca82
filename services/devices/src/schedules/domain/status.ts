/**
 * A source does one of these (docs/reference/sources.md#status). REST: the node shows SCHEDULED or IDLE by its
 * configuration.
 */
export const STATUSES = [
  ...(['REST', 'DISABLED', 'QUEUED', 'CONNECTING', 'CONFIGURING', 'CONTROLLING', 'DOWNLOADING'] as const),
  ...(['PROCESSING', 'RETRYING', 'FAILED', 'REMOTE'] as const),
] as const;
export type Status = (typeof STATUSES)[number];

/** It is connected, or about to be: a process holds the lease of the source. */
export const SESSION_STATUSES = ['CONNECTING', 'CONFIGURING', 'CONTROLLING', 'DOWNLOADING'] as const;
const SESSION: readonly Status[] = SESSION_STATUSES;
/** These neither outlive the process that has begun them nor wait for a person. */
const PASSING = STATUSES.filter((status) => !['REST', 'FAILED', 'DISABLED'].includes(status));

export type StatusEvent =
  | 'disabled'
  | 'enabled'
  /** The schedule is due. */
  | 'due'
  | 'acquire'
  /** A control value or configuration waits, and can be sent. */
  | 'pending'
  /** A device with pending work has connected, or calls by itself. */
  | 'device connected'
  | 'push accepted'
  /** A worker and the connection are free. */
  | 'free'
  | 'connected to configure'
  | 'connected to control'
  | 'connected'
  | 'configured with controls left'
  | 'configured'
  | 'controlled'
  /** There was nothing but controls to do. */
  | 'controlled alone'
  | 'received'
  | 'nothing new'
  | 'failed with retries left'
  | 'failed'
  | 'delay over'
  | 'stored'
  | 'internal failure'
  | 'remote client connected'
  | 'remote client gone'
  | 'schedule changed'
  | 'restarted';

/** This table alone says what follows what: from, event, to. A pair that is not in it does not happen. */
export const TRANSITIONS: readonly (readonly [from: readonly Status[], event: StatusEvent, to: Status])[] = [
  [STATUSES, 'disabled', 'DISABLED'],
  [['DISABLED'], 'enabled', 'REST'],
  [['REST', 'FAILED'], 'due', 'QUEUED'],
  [['REST', 'FAILED', 'RETRYING'], 'acquire', 'QUEUED'],
  [['REST', 'FAILED'], 'pending', 'QUEUED'],
  [['REST', 'FAILED'], 'device connected', 'QUEUED'],
  [['REST', 'FAILED'], 'push accepted', 'PROCESSING'],
  [['QUEUED'], 'free', 'CONNECTING'],
  [['CONNECTING'], 'connected to configure', 'CONFIGURING'],
  [['CONNECTING'], 'connected to control', 'CONTROLLING'],
  [['CONNECTING'], 'connected', 'DOWNLOADING'],
  [['CONFIGURING'], 'configured with controls left', 'CONTROLLING'],
  [['CONFIGURING'], 'configured', 'DOWNLOADING'],
  [['CONTROLLING'], 'controlled', 'DOWNLOADING'],
  [['CONTROLLING'], 'controlled alone', 'REST'],
  [['DOWNLOADING'], 'received', 'PROCESSING'],
  [['DOWNLOADING'], 'nothing new', 'REST'],
  [SESSION, 'failed with retries left', 'RETRYING'],
  [SESSION, 'failed', 'FAILED'],
  [['RETRYING'], 'delay over', 'QUEUED'],
  [['PROCESSING'], 'stored', 'REST'],
  [['PROCESSING'], 'internal failure', 'FAILED'],
  [['REST', 'FAILED'], 'remote client connected', 'REMOTE'],
  [['REMOTE'], 'remote client gone', 'REST'],
  [['REST'], 'schedule changed', 'REST'],
  [PASSING, 'restarted', 'REST'],
];

/** Returns the next status; undefined: the event does not happen to a source of this status. */
export const follows = (from: Status, event: StatusEvent): Status | undefined =>
  TRANSITIONS.find(([sources, name]) => name === event && sources.includes(from))?.[2];

/** A session shows these steps by what it does next. */
const STEPS: readonly StatusEvent[] = [
  ...(['connected to configure', 'connected to control', 'connected', 'configured with controls left'] as const),
  ...(['configured', 'controlled', 'received'] as const),
];

/** @throws Error when a session of this status cannot go on so: a fault of the driver */
export function stepTo(from: Status, to: Status): StatusEvent {
  const step = TRANSITIONS.find(
    ([sources, event, next]) => next === to && STEPS.includes(event) && sources.includes(from),
  );
  if (!step) throw new Error(`no session goes from ${from} to ${to}`);
  return step[1];
}

/** A session found this, as far as it matters for its end. */
type SessionEnd = {
  /** Records were asked for, not controls alone. */
  readonly collects: boolean;
  /** Bytes or records came. */
  readonly received: boolean;
  /** Everything that came is stored: nothing waits for its turn. */
  readonly isStored: boolean;
};

/** Returns the events between a session that went well and its end: rest, or PROCESSING while files wait. */
export function toTheEnd(from: Status, end: SessionEnd): StatusEvent[] {
  const events: StatusEvent[] = [];
  for (let status = from; status !== 'REST' && (status !== 'PROCESSING' || end.isStored); ) {
    const event = lastSteps(status, end);
    const next = event && follows(status, event);
    if (!next) throw new Error(`no session ends in ${from}`);
    events.push(event);
    status = next;
  }
  return events;
}

function lastSteps(status: Status, { collects, received }: SessionEnd): StatusEvent | undefined {
  switch (status) {
    case 'CONNECTING':
      return collects ? 'connected' : 'connected to control';
    case 'CONFIGURING':
      return 'configured';
    case 'CONTROLLING':
      return collects ? 'controlled' : 'controlled alone';
    case 'DOWNLOADING':
      return received ? 'received' : 'nothing new';
    case 'PROCESSING':
      return 'stored';
    default:
      return undefined;
  }
}

/** Effect of one accepted request or modem message on its target. */
export type Acquisition = {
  readonly nodeId: string;
  readonly isSource: boolean;
  readonly rows: number;
  readonly parameters: number;
  readonly timeMs: number;
  readonly username: string;
  /** The event names API, or another origin. */
  readonly origin: string;
  /** The acquisition is part of a session: devices reports what counts. */
  readonly inSession?: boolean | undefined;
  /** This many messages brought it, each a push; absent: one. */
  readonly deliveries?: number | undefined;
};

/** Acquisitions of a node, user and origin that follow an event and are summed up at the window's end. */
export type AcquisitionWindow = {
  readonly nodeId: string;
  readonly username: string;
  readonly origin: string;
  readonly isSource: boolean;
  readonly endsMs: number;
  /** Number of requests summed up so far. */
  readonly waiting: number;
  readonly rows: number;
  /** One of them updated at most this many parameters. */
  readonly parameters: number;
};

export type AcquisitionEvent = {
  readonly level: 'DEBUG' | 'WARNING';
  readonly nodeId: string;
  readonly username: string;
  readonly timeMs: number;
  readonly message: string;
};

/**
 * Returns the events that acquisitions give at once, and the window after them (docs/reference/writing.md#data-source-writes,
 * rule 7): the first gives its event, those within `windowMs` after it are summed, the first one after the window gives the
 * sum and its own event.
 * @param windowMs 0 = an event for each
 */
export function openOrJoin(
  before: AcquisitionWindow | undefined,
  acquisition: Acquisition,
  windowMs: number,
): { events: AcquisitionEvent[]; window: AcquisitionWindow | undefined } {
  if (windowMs > 0 && before && acquisition.timeMs < before.endsMs) {
    const window = {
      ...before,
      waiting: before.waiting + 1,
      rows: before.rows + acquisition.rows,
      parameters: Math.max(before.parameters, acquisition.parameters),
    };
    return { events: [], window };
  }
  const closed = before ? closeWindow(before) : [];
  const { nodeId, username, origin, isSource, timeMs } = acquisition;
  const first = { nodeId, username, timeMs, level: levelOf(acquisition), message: messageOf(acquisition) };
  const window = { nodeId, username, origin, isSource, endsMs: timeMs + windowMs, waiting: 0, rows: 0, parameters: 0 };
  return { events: [...closed, first], window: windowMs > 0 ? window : undefined };
}

/** Returns the event of what a window summed up, dated its end; none when nothing came after the first. */
export function closeWindow(window: AcquisitionWindow): AcquisitionEvent[] {
  if (window.waiting === 0) return [];
  const { nodeId, username, endsMs: timeMs } = window;
  return [{ nodeId, username, timeMs, level: levelOf(window), message: messageOf(window) }];
}

type Counted = Pick<Acquisition, 'rows' | 'parameters' | 'isSource' | 'origin'>;

/**
 * Origin of what stands for rows that a daily limit left out (docs/reference/writing.md#daily-limits); no file or program
 * has this name.
 */
const OVERLOAD = '\u0001overload';

/** Returns rows over a daily limit, reported for their source like acquisitions: at once, then summed up. */
export const overload = (nodeId: string, rows: number, { timeMs, username }: Acquisition): Acquisition => ({
  nodeId,
  rows,
  timeMs,
  username,
  isSource: false,
  parameters: 0,
  origin: OVERLOAD,
});

const levelOf = ({ origin }: Pick<Counted, 'origin'>): AcquisitionEvent['level'] =>
  origin === OVERLOAD ? 'WARNING' : 'DEBUG';

const messageOf = ({ rows, parameters, isSource, origin }: Counted): string =>
  origin === OVERLOAD ? `Overload: ${rows} records discarded` : processedText({ rows, parameters, isSource, origin });

const processedText = ({ rows, parameters, isSource, origin }: Counted): string =>
  `Processed ${rows} records from ${origin || 'API'}${isSource ? ` [${parameters} parameters updated]` : ''}`;

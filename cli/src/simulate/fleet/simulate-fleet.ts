import { type ModemCounts, noCounts, type SimulateModemOptions, simulateModem } from '../modem/index.ts';
import type { Address } from '../options.ts';
import type { ReportedDocument } from '../station/readings.ts';
import type { NextDocument } from '../station/records.ts';
import type { FleetModem } from './fleet-keys.ts';

export type SimulateFleetOptions = Pick<
  SimulateModemOptions,
  'intervalSeconds' | 'signal' | 'finish' | 'tls' | 'queueLimit' | 'messages' | 'faults' | 'now'
> & {
  readonly modems: readonly FleetModem[];
  /** Modems take them in turn, and go on with the next one when a connection has ended. */
  readonly servers: readonly Address[];
  /** First connections are spread over this time. */
  readonly rampSeconds: number;
  readonly seed: number;
  /** Each modem reports this; undefined = readings of a tank. */
  readonly next?: () => NextDocument;
  /** Is called with what was sent and answered. */
  readonly journal?: (line: JournalLine) => void;
  /** A line of one modem. */
  readonly log?: (line: string) => void;
  readonly progress: (counts: ModemCounts) => void;
  readonly progressEveryMs?: number;
};

/** A report was sent for the first time, or has ended. */
export type JournalLine =
  | { readonly key: string; readonly seq: number; readonly atMs: number; readonly sent: readonly JournalRecord[] }
  | { readonly key: string; readonly seq: number; readonly atMs: number; readonly end: 'acknowledged' | 'refused' };
/** Time, then the values by the names of their series. */
type JournalRecord = readonly [ts: string, values: Readonly<Record<string, unknown>>];

const PROGRESS_MS = 5_000;

/** Runs the modems until all their reports are answered, or `signal` aborts. */
export async function simulateFleet(options: SimulateFleetOptions): Promise<ModemCounts> {
  const { modems, progress, progressEveryMs = PROGRESS_MS } = options;
  const counts = noCounts();
  const timer = setInterval(() => progress(counts), progressEveryMs);
  try {
    await Promise.all(modems.map((modem, n) => simulateModem(settingsOf(options, modem, n, counts))));
  } finally {
    clearInterval(timer);
  }
  return counts;
}

function settingsOf(
  options: SimulateFleetOptions,
  { key, secret }: FleetModem,
  n: number,
  counts: ModemCounts,
): SimulateModemOptions {
  const { modems, servers, rampSeconds, next, journal, log, progress, progressEveryMs, ...shared } = options;
  const { seed, intervalSeconds, now = Date.now } = shared;
  const first = n % servers.length;
  const [server, ...others] = [...servers.slice(first), ...servers.slice(0, first)];
  if (!server) throw new Error('a fleet needs a server');
  return {
    ...shared,
    counts,
    servers: [server, ...others],
    deviceKey: key,
    ...(secret !== undefined && { secret }),
    ...(next && { next: next() }),
    seed: seed + n,
    connectAfterMs: (rampSeconds * 1_000 * n) / modems.length,
    phaseMs: (intervalSeconds * 1_000 * n) / modems.length,
    log: log ? (line) => log(`${key} ${line}`) : () => {},
    ...(journal && {
      journal: {
        sent: ({ seq, jts }) => journal({ key, seq, atMs: now(), sent: recordsOf(jts) }),
        settled: (seq, end) => journal({ key, seq, atMs: now(), end }),
      },
    }),
  };
}

const recordsOf = ({ header, data }: ReportedDocument): JournalRecord[] =>
  data.map(({ ts, f }) => [
    ts,
    Object.fromEntries(
      Object.entries(f).map(([index, { v }]) => {
        const { series, name } = header.columns[index] ?? {};
        return [String(series ?? name ?? index), v];
      }),
    ),
  ]);

/** Reports that were sent and never answered, one that the queue has lost too. */
export const unanswered = ({ sent, acknowledged, refused }: ModemCounts): number => sent - acknowledged - refused;

export const progressLine = (counts: ModemCounts, modems: number): string => {
  const { connected, sent, acknowledged, waiting, repeated, refused, reconnects, lost } = counts;
  return [
    `${connected} of ${modems} connected`,
    `${sent} sent`,
    `${acknowledged} acknowledged`,
    `${waiting} waiting`,
    `${repeated} repeated`,
    `${refused} refused`,
    `${reconnects} reconnects`,
    ...(lost > 0 ? [`${lost} lost from full queues`] : []),
  ].join(', ');
};

import { setTimeout as delay } from 'node:timers/promises';
import type { Change, Client } from '@catchment/client';
import { effectiveZone } from '@catchment/time';
import { type NamedNode, seriesNamed } from '../api/nodes-named.ts';
import { openClient } from '../api/open-client.ts';
import { onOneLine } from '../command-line/answer.ts';
import { interruptSignal } from '../command-line/interrupted.ts';
import { type Print, printer, untilStopped } from './printer.ts';
import type { RecordOptions } from './tail-options.ts';

type Asked = Pick<RecordOptions, 'follow' | 'lines' | 'json' | 'tz' | 'every'>;
type Clients = { readonly client: Client; readonly patient: Client };
/** Clocks and stores may lag by so much. */
const MARGIN_SECONDS = 60;
/** Records are remembered so that none is shown twice. */
const SEEN_MAX = 200_000;

export type Clock = {
  readonly nowMs: () => number;
  readonly sleep: (seconds: number, signal: AbortSignal) => Promise<void>;
};
const CLOCK: Clock = {
  nowMs: () => performance.now(),
  sleep: (seconds, signal) => delay(seconds * 1_000, undefined, { signal }),
};

/** Prints the newest records of series, and with `--follow` those that are written. */
export async function tailRecords(references: readonly string[], options: RecordOptions): Promise<void> {
  const clients = await openClient(options);
  const series = await seriesNamed(clients.client, references);
  const signal = interruptSignal();
  await untilStopped(signal, () => printRecords(clients, series, options, { print: printer(), signal, clock: CLOCK }));
}

type Shown = Pick<Change, 'node' | 'timeMs' | 'value' | 'quality' | 'annotation'>;

/** Ends when `signal` does, where it follows. */
export async function printRecords(
  { client, patient }: Clients,
  series: readonly NamedNode[],
  { follow, lines, json, tz, every }: Asked,
  { print, signal, clock }: { print: Print; signal: AbortSignal; clock: Clock },
): Promise<void> {
  const ids = series.map(({ _id }) => _id);
  const zone = tz === undefined ? undefined : effectiveZone(tz, true, Date.now(), '--tz');
  const timeOf = (ms: number) => zone?.formatIso(ms) ?? new Date(ms).toISOString();
  const byId = new Map(series.map((node) => [node._id, node]));
  const shown = (record: Shown) => {
    const node = byId.get(record.node) as NamedNode;
    return print(json ? JSON.stringify(documentOf(record, node, timeOf)) : lineOf(record, node, timeOf));
  };
  // Records that are written from here on are news. They are asked for before the past, so that nothing is lost between
  // the two.
  let beganMs = clock.nowMs();
  let seen = new Set<string>();
  if (follow) for (const record of await recent(client, ids, MARGIN_SECONDS)) seen.add(keyOf(record));
  for (const record of lines > 0 ? await newest(client, ids, lines) : []) {
    seen.add(keyOf(record));
    await shown(record);
  }
  while (follow) {
    await clock.sleep(every, signal);
    signal.throwIfAborted();
    const askedMs = clock.nowMs();
    const before = seen;
    seen = new Set();
    const seconds = Math.ceil((askedMs - beganMs) / 1_000) + MARGIN_SECONDS;
    for await (const change of patient.historic.changes(ids, { since: `NOW-${seconds}S`, signal })) {
      signal.throwIfAborted();
      const key = keyOf(change);
      if (seen.size < SEEN_MAX) seen.add(key);
      if (!before.has(key)) await shown(change);
    }
    beganMs = askedMs;
  }
}

const recent = (client: Client, ids: readonly string[], seconds: number): Promise<Change[]> =>
  Array.fromAsync(client.historic.changes(ids, { since: `NOW-${seconds}S` }));

async function newest(client: Client, ids: readonly string[], lines: number): Promise<Shown[]> {
  const { times, columns } = await client.historic.read(ids, { limit: lines });
  const records = times.flatMap((timeMs, row) =>
    columns.flatMap(({ values, quality, annotations }, n) => {
      const record = { value: values[row], quality: quality[row], annotation: annotations[row] };
      const isNone = Object.values(record).every((part) => part === undefined);
      return isNone ? [] : [{ node: ids[n] as string, timeMs, ...record }];
    }),
  );
  return records.slice(-lines);
}

const keyOf = ({ node, timeMs, value, quality, annotation }: Shown): string =>
  JSON.stringify([node, timeMs, value, quality, annotation]);

const documentOf = (
  { timeMs, ...record }: Shown,
  { name, units }: NamedNode,
  timeOf: (ms: number) => string,
): object => ({
  time: timeOf(timeMs),
  ...record,
  name,
  ...(units && { units }),
});

function lineOf(record: Shown, { name, units }: NamedNode, timeOf: (ms: number) => string): string {
  const { timeMs, value, quality, annotation } = record;
  const said = value === undefined ? '–' : value instanceof Date ? value.toISOString() : String(value);
  const parts = [
    timeOf(timeMs),
    name,
    `${said}${units && value !== undefined ? ` ${units}` : ''}`,
    quality === undefined ? '' : `quality ${quality}`,
    annotation ?? '',
  ];
  return parts.filter(Boolean).map(onOneLine).join('  ');
}

import {
  deletion,
  type InfluxConnection,
  type InfluxRow,
  inChunks,
  inTime,
  MEASUREMENT,
  ofSeries,
  quoted,
  RUNS,
  select,
  seriesOf,
  whole,
} from '../../influx/index.ts';
import { runLine } from '../../records/index.ts';
import type { CopyOutcome, CopyPart, CopyRecords } from '../usecases/ports.ts';

/** Parts that one request asks for. */
const PARTS_AT_ONCE = 25;
const CHUNKS = inChunks(5_000);
const LINES = 5_000;
const CHARACTERS = 4_000_000;

type Kind = 'integer' | 'float' | 'text';
/** A point may have all of these (line-protocol.ts), stale or live: it is copied as it is. */
const FIELDS: readonly (readonly [name: string, kind: Kind])[] = [
  ['v', 'float'],
  ['p', 'integer'],
  ['x', 'integer'],
  ['q', 'integer'],
  ['a', 'text'],
  ['t', 'text'],
  ['i', 'integer'],
  ['la', 'float'],
  ['lo', 'float'],
];
const NAMES = FIELDS.map(([name]) => name);

/** Copies points between InfluxDBs. Where it is repeated the points overwrite themselves. */
export const influxCopy =
  (connectionOf: (shard: string) => InfluxConnection): CopyRecords =>
  async (shards, parts, most, signal) => {
    const [from, to] = [connectionOf(shards.from), connectionOf(shards.to)];
    const rest = new Map<number, number>();
    let records = 0;
    for (const some of rounds(parts)) {
      if (records >= most.inAll) {
        for (const [n, part] of some) rest.set(n, part.fromMs);
        continue;
      }
      const outcome = await copyParts(from, to, some, most.ofEach, signal);
      records += outcome.records;
      for (const [n, fromMs] of outcome.rest) rest.set(n, fromMs);
    }
    return { records, rest };
  };

type Numbered = readonly (readonly [index: number, part: CopyPart])[];

/** Returns parts for one request each: none has two of a series, since an answer names the series only. */
function rounds(parts: readonly CopyPart[]): Numbered[] {
  const seen = new Map<string, number>();
  const byTurn = Map.groupBy(parts.entries(), ([, { nodeId }]) => {
    const turn = seen.get(nodeId) ?? 0;
    seen.set(nodeId, turn + 1);
    return turn;
  });
  return [...byTurn.values()].flatMap((turn) =>
    Array.from({ length: Math.ceil(turn.length / PARTS_AT_ONCE) }, (_, n) =>
      turn.slice(n * PARTS_AT_ONCE, (n + 1) * PARTS_AT_ONCE),
    ),
  );
}

async function copyParts(
  from: InfluxConnection,
  to: InfluxConnection,
  parts: Numbered,
  limit: number,
  signal: AbortSignal,
): Promise<CopyOutcome> {
  const cleared = parts.filter(([, { clears }]) => clears);
  if (cleared.length > 0)
    await to.execute(
      cleared.map(([, part]) => deletion(`${ofSeries(part.nodeId)} AND ${inTime(part)}`)).join('; '),
      signal,
    );
  const lines = new Lines(to, signal);
  const ask = (measurement: string, fields: readonly string[], tail: string) => {
    const statements = parts.map(
      ([, part]) =>
        `${select(part.nodeId, fields, measurement)} AND ${inTime(part)} GROUP BY "s" ORDER BY time ASC${tail}`,
    );
    return seriesOf(from.query(statements.join('; '), CHUNKS, signal));
  };
  for await (const chunk of ask(RUNS, ['e', 'm'], ''))
    for (const { tags, values = [] } of chunk)
      for (const [time, end, modified] of values)
        await lines.add(
          runLine(tags?.s ?? '', { fromMs: Number(time), toMs: Number(end), modifiedMs: Number(modified) }),
        );
  const seen = new Map<string, { rows: number; lastMs: number }>();
  for await (const chunk of ask(MEASUREMENT, NAMES, ` LIMIT ${whole(limit)}`))
    for (const { tags, values = [] } of chunk) {
      const nodeId = tags?.s ?? '';
      const copied = seen.get(nodeId) ?? { rows: 0, lastMs: 0 };
      seen.set(nodeId, copied);
      for (const row of values) await lines.add(pointOf(nodeId, row));
      copied.rows += values.length;
      copied.lastMs = Number(values.at(-1)?.[0] ?? copied.lastMs);
    }
  await lines.flush();
  const rest = new Map<number, number>();
  let records = 0;
  for (const [n, { nodeId }] of parts) {
    const { rows, lastMs } = seen.get(nodeId) ?? { rows: 0, lastMs: 0 };
    records += rows;
    if (rows >= limit) rest.set(n, lastMs + 1);
  }
  return { records, rest };
}

function pointOf(nodeId: string, [time, ...cells]: InfluxRow): string {
  const fields: string[] = [];
  for (const [n, [name, kind]] of FIELDS.entries()) {
    const cell = cells[n];
    if (cell === null || cell === undefined) continue;
    fields.push(`${name}=${kind === 'text' ? quoted(String(cell)) : kind === 'integer' ? `${cell}i` : cell}`);
  }
  return `${MEASUREMENT},s=${nodeId} ${fields.join(',')} ${time}`;
}

/** Lines go in requests of a bounded size. */
class Lines {
  readonly #to: InfluxConnection;
  readonly #signal: AbortSignal;
  #lines: string[] = [];
  #characters = 0;

  constructor(to: InfluxConnection, signal: AbortSignal) {
    this.#to = to;
    this.#signal = signal;
  }

  async add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#lines.length >= LINES || this.#characters >= CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#lines.length > 0) await this.#to.write(this.#lines.join('\n'), this.#signal);
    this.#lines = [];
    this.#characters = 0;
  }
}

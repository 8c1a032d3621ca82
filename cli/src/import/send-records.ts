import { COLUMNS_MAX } from '@catchment/ids';
import type { Progress } from '../api/progress.ts';
import type { ImportRecord, ImportSource } from './import-source.ts';
import type { ImportState, Position } from './import-state.ts';

const FIELDS_MAX = 30_000;
/** The text stays below the limit of a body, 5 MiB. */
const TEXT_MAX = 3 * 1024 * 1024;

export type Sending = {
  /** Sends a document, with retries. */
  readonly put: (body: string) => Promise<unknown>;
  readonly source: ImportSource;
  /** Keeps what the API has accepted. */
  readonly state: Pick<ImportState, 'save'>;
  readonly from: Position;
  /** Most records in one request. */
  readonly batch: number;
  readonly progress: Progress;
  readonly readBytes: () => number;
  readonly signal: AbortSignal;
};

export type Sent = Position & { readonly firstTs: string | undefined; readonly lastTs: string | undefined };

/**
 * Writes all records of a source, in its order: one request is on its way while the next one is read. Holds two batches.
 * @throws Error naming the place in the file that the API has refused
 */
export async function sendRecords(sending: Sending): Promise<Sent> {
  const { source, state, from, progress, readBytes, signal } = sending;
  let { records: count, values } = from;
  let skipped = 0;
  let [firstTs, lastTs] = [undefined, undefined] as (string | undefined)[];
  let underWay: Promise<void> = Promise.resolve();
  const sendOff = async (batch: readonly ImportRecord[], position: Position) => {
    // Failures meanwhile are thrown here.
    await underWay;
    underWay = send(sending, batch).then(() => state.save(position));
    underWay.catch(() => undefined);
    progress.update(readBytes(), position.records);
  };
  const gathered = new Batch(sending.batch);
  try {
    for await (const record of source.records()) {
      signal.throwIfAborted();
      if (firstTs === undefined || record.ts < firstTs) firstTs = record.ts;
      if (lastTs === undefined || record.ts > lastTs) lastTs = record.ts;
      if (skipped < from.records) {
        skipped += 1;
        continue;
      }
      gathered.add(record);
      count += 1;
      values += Object.keys(record.f).length;
      if (gathered.isFull) await sendOff(gathered.take(), { records: count, values });
    }
    if (!gathered.isEmpty) await sendOff(gathered.take(), { records: count, values });
    await underWay;
  } finally {
    // Records that the API accepts meanwhile are noted after any end.
    await underWay.catch(() => undefined);
  }
  return { records: count, values, firstTs, lastTs };
}

class Batch {
  readonly #limit: number;
  #records: ImportRecord[] = [];
  #fields = 0;
  #text = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(record: ImportRecord): void {
    this.#records.push(record);
    for (const key in record.f) {
      this.#fields += 1;
      this.#text += 24 + sizeOf(record.f[key]);
    }
    this.#text += 48;
  }

  get isFull(): boolean {
    return this.#records.length >= this.#limit || this.#fields >= FIELDS_MAX || this.#text >= TEXT_MAX;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  take(): readonly ImportRecord[] {
    const taken = this.#records;
    this.#records = [];
    this.#fields = 0;
    this.#text = 0;
    return taken;
  }
}

/** Returns bytes of JSON that texts of a field may take. */
function sizeOf(field: unknown): number {
  if (typeof field === 'string') return field.length * 4;
  if (typeof field !== 'object' || field === null) return 16;
  return Object.values(field).reduce((sum: number, part) => sum + sizeOf(part), 0);
}

async function send({ put, source }: Sending, batch: readonly ImportRecord[]): Promise<void> {
  const keys = Object.keys(source.columns);
  const groups = keys.length === 0 ? [undefined] : inGroups(keys);
  for (const group of groups) {
    const body = documentOf(source, batch, group);
    try {
      await put(body);
    } catch (error) {
      throw isRefusal(error) ? inTheFile(error, batch) : error;
    }
  }
}

const inGroups = (keys: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(keys.length / COLUMNS_MAX) }, (_, n) =>
    keys.slice(n * COLUMNS_MAX, (n + 1) * COLUMNS_MAX),
  );

function documentOf(
  source: ImportSource,
  batch: readonly ImportRecord[],
  group: readonly string[] | undefined,
): string {
  const isAll = group === undefined || group.length === Object.keys(source.columns).length;
  const pick = (from: Readonly<Record<string, unknown>>) =>
    isAll ? from : Object.fromEntries(group.flatMap((key) => (key in from ? [[key, from[key]]] : [])));
  const header = group && { header: { columns: pick(source.columns) } };
  const data = batch.map(({ ts, f }) => ({ ts, f: pick(f) }));
  return JSON.stringify({ docType: 'jts', version: '1.0', ...header, data });
}

const isRefusal = (error: unknown): error is Error => typeof (error as { status?: unknown }).status === 'number';

/** `data[3]` of a request means nothing to a person with the file. */
function inTheFile(error: Error, batch: readonly ImportRecord[]): Error {
  const entry = /data\[(\d+)\]/.exec(error.message)?.[1];
  const place = entry === undefined ? undefined : batch[Number(entry)]?.place;
  const where = place ?? `${batch[0]?.place} to ${batch.at(-1)?.place}`;
  return new Error(`${where}: ${error.message}`, { cause: error });
}

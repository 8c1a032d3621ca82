import { createReadStream } from 'node:fs';
import { jtsColumns, jtsEntry, openText } from '@catchment/delimited-text';
import { UTC_ZONE } from '@catchment/time';
import { documentOf, type ReportedDocument, readingAt } from './readings.ts';

/** A simulated station reports these: JTS documents, one after the other; undefined = there are no more. */
export type NextDocument = (clockErrorMs: number) => Promise<ReportedDocument | undefined>;

/** Stations share this many records of a file in memory. */
const SHARED_RECORDS_MAX = 100_000;

/** Reads the simulated tank at the time of the report. */
export const readingsOf =
  (seed: number, now: () => number): NextDocument =>
  async (clockErrorMs) =>
    documentOf([readingAt(now() + clockErrorMs, seed)]);

/**
 * Reads records of a delimited text of any layout that Catchment reads by itself (TOA5, RDB, CSV), in its order.
 * @param records of one document
 * @throws Error when the file cannot be read
 */
export async function recordsOfFile(file: string, records: number): Promise<NextDocument> {
  const text = await openText(createReadStream(file), { settings: {}, zone: UTC_ZONE, nowMs: Date.now() });
  const header = { columns: jtsColumns(text.series) };
  const entries = entriesOf(text.records());
  return async (clockErrorMs) => {
    const data: ReportedDocument['data'][number][] = [];
    while (data.length < records) {
      const { value, done } = await entries.next();
      if (done) break;
      data.push({ ...value, ts: shifted(value.ts, clockErrorMs) });
    }
    return data.length === 0 ? undefined : { docType: 'jts', version: '1.0', header, data };
  };
}

/**
 * Reads the records of a file for many stations: it is read once, up to 100 000 records.
 * @returns a function that gives each station all of them, from the first on
 */
export async function sharedRecordsOfFile(file: string, records: number): Promise<() => NextDocument> {
  const next = await recordsOfFile(file, records);
  const documents: ReportedDocument[] = [];
  for (let count = 0; count < SHARED_RECORDS_MAX; ) {
    const document = await next(0);
    if (!document) break;
    documents.push(document);
    count += document.data.length;
  }
  return () => {
    let at = 0;
    return async (clockErrorMs) => {
      const document = documents[at];
      at += 1;
      if (!document || clockErrorMs === 0) return document;
      return { ...document, data: document.data.map((entry) => ({ ...entry, ts: shifted(entry.ts, clockErrorMs) })) };
    };
  };
}

const shifted = (ts: string, byMs: number): string => new Date(Date.parse(ts) + byMs).toISOString();

async function* entriesOf(records: AsyncIterable<Parameters<typeof jtsEntry>[0]>) {
  for await (const record of records) {
    const entry = jtsEntry(record);
    if (entry) yield entry;
  }
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

const DATA = path.resolve(import.meta.dirname, '../../data');

/** A data file's row has its cells by column name, and an ISO time. */
export type DataRow = { readonly time: string; readonly cells: Readonly<Record<string, string>> };

/** Reads the PROMICE station's TOA5 table: line 2 has the names, lines 3 and 4 units and process, times are UTC. */
export function readPromice(): DataRow[] {
  const text = gunzipSync(readFileSync(path.join(DATA, 'promice/CR1000_TableMem_10min_2016.dat.gz'))).toString();
  const rows: Record<string, string>[] = parse(text, { columns: true, from_line: 2 });
  return rows.slice(2).map((cells) => ({ time: `${cells.TIMESTAMP?.replace(' ', 'T')}Z`, cells }));
}

/** Reads the USGS gauge's readings, times in UTC. */
export function readDeadRun(): DataRow[] {
  const text = readFileSync(path.join(DATA, 'usgs/DeadRun_stage_discharge_5min_qualifiers.csv'));
  const rows: Record<string, string>[] = parse(text, { columns: true });
  return rows.map((cells) => ({ time: `${cells.datetimeUTC}Z`, cells }));
}

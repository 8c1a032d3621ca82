import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type LineFaults,
  type PublicTable,
  readToa5,
  repeated,
  SimulatedLogger,
  type TableContent,
  type Toa5,
} from '@catchment/pakbus/simulator';
import { effectiveZone } from '@catchment/time';
import type { FaultRates } from '../station/faults.ts';

/** The table of a PROMICE station comes with Catchment. */
const OWN_FILE = path.resolve(import.meta.dirname, '../../../data/promice/CR1000_TableMem_10min_2016.dat.gz');

/** Loggers are made of these. */
export type LoggerOptions = {
  /** Each TOA5 file is a table; gzipped where it ends in .gz. None means one that comes with Catchment. */
  readonly files: readonly string[];
  /** This many seconds lie between the records, which repeat the file's without end; undefined: as recorded, at the times of the file. */
  readonly intervalSeconds: number | undefined;
  /** This many records are there from the beginning. */
  readonly historyRecords: number;
  readonly address: number;
  readonly routerAddress?: number;
  readonly securityCode: number;
  /** undefined: as the file says. */
  readonly osVersion?: string;
  /** IANA zone of the clock. */
  readonly zone: string;
  /** The clock is fast by this. */
  readonly driftSeconds: number;
  /** Controls may set these, in the table Public. */
  readonly variables: Readonly<Record<string, number>>;
  /** Packets have these; the clock jumps at a connection. */
  readonly faults: LineFaults & Pick<FaultRates, 'clockJump'>;
  readonly seed: number;
};

/** Returns a maker of loggers, which share the files. @throws Error naming a file that cannot be read */
export function loggerMaker(options: LoggerOptions, now: () => number): () => SimulatedLogger {
  const files = (options.files.length > 0 ? options.files : [OWN_FILE]).map(readFile);
  return () => makeLogger(files, options, now);
}

function makeLogger(files: readonly Toa5[], options: LoggerOptions, now: () => number): SimulatedLogger {
  const startMs = now();
  const offsetMs = effectiveZone(options.zone, true, startMs).offsetMsAt(startMs) + options.driftSeconds * 1_000;
  const tables: (TableContent | PublicTable)[] = files.map(({ table }) => {
    const { intervalSeconds, historyRecords } = options;
    if (intervalSeconds === undefined) return table;
    const rows = table.content.countAt(Number.POSITIVE_INFINITY);
    const sinceMs = startMs + offsetMs - historyRecords * intervalSeconds * 1_000;
    return repeated(table, { rows, sinceMs, intervalSeconds });
  });
  if (Object.keys(options.variables).length > 0) tables.push({ name: 'Public', values: { ...options.variables } });
  const { osVersion, program, serialNumber } = files[0]!;
  return new SimulatedLogger({
    address: options.address,
    ...(options.routerAddress !== undefined && { routerAddress: options.routerAddress }),
    securityCode: options.securityCode,
    osVersion: options.osVersion ?? osVersion,
    program,
    serialNumber,
    tables,
    now,
    clockOffsetMs: offsetMs,
  });
}

function readFile(name: string): Toa5 {
  try {
    const bytes = readFileSync(name);
    return readToa5((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : 'cannot be read'}`, { cause });
  }
}

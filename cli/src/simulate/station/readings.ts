/** The simulated logger's readings have the units of `COLUMNS`. */
export type Reading = {
  readonly timeMs: number;
  readonly level: number;
  readonly battery: number;
  readonly temperature: number;
};

/** A station reports such a JTS document. */
export type ReportedDocument = {
  readonly header: { readonly columns: Readonly<Record<string, ReportedColumn>> };
  readonly data: readonly { readonly ts: string; readonly f: Readonly<Record<string, { readonly v?: unknown }>> }[];
  readonly [attribute: string]: unknown;
};

type ReportedColumn = { readonly series?: unknown; readonly name?: unknown; readonly units?: unknown };

const COLUMNS = [
  { name: 'Tank Level', units: 'm', of: (reading: Reading) => reading.level },
  { name: 'Battery Voltage', units: 'V', of: (reading: Reading) => reading.battery },
  { name: 'Temperature', units: '°C', of: (reading: Reading) => reading.temperature },
] as const;

const DAY_MS = 86_400_000;
const TANK_PERIOD_MS = 6 * 3_600_000;

/** Returns a smooth value from -1 to 1 that depends on nothing but the time, the period and the seed. */
function wave(timeMs: number, periodMs: number, seed: number): number {
  const turn = (2 * Math.PI * timeMs) / periodMs;
  const phase = (seed * 2.399963) % (2 * Math.PI);
  return 0.8 * Math.sin(turn + phase) + 0.2 * Math.sin(3.7 * turn + 2 * phase);
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The readings of a device depend on this, unless another seed is given. */
export const seedOf = (deviceKey: string): number => Number(deviceKey.slice(-6));

/** Simulates a tank that is drawn and filled, a battery that the sun charges, the air. The same time and seed give the same reading. */
export function readingAt(timeMs: number, seed: number): Reading {
  const noon = wave(timeMs - DAY_MS / 4, DAY_MS, 0);
  return {
    timeMs,
    level: rounded(2.4 + 1.1 * wave(timeMs, TANK_PERIOD_MS, seed)),
    battery: rounded(12.7 + 0.6 * noon + 0.05 * wave(timeMs, 600_000, seed + 1)),
    temperature: rounded(14 + 6 * noon + 1.5 * wave(timeMs, 3_600_000, seed + 2)),
  };
}

/** Makes the JTS document of readings (docs/modem-protocol.md «data»). */
export function documentOf(readings: readonly Reading[]): ReportedDocument {
  const columns = COLUMNS.map(({ name, units }, index) => [index, { name, series: name, dataType: 'NUMBER', units }]);
  return {
    docType: 'jts',
    version: '1.0',
    header: { columns: Object.fromEntries(columns) },
    data: readings.map((reading) => ({
      ts: new Date(reading.timeMs).toISOString(),
      f: Object.fromEntries(COLUMNS.map(({ of }, index) => [index, { v: of(reading) }])),
    })),
  };
}

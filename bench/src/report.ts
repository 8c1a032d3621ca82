import type { WriteMeasurement } from './measure-writes.ts';

/** A line of `npm run bench -- --json FILE`. */
export type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Share of the store's own floor in the same run; null where there is none. */
  readonly ratio: number | null;
  readonly bar: number | null;
  readonly holds: boolean | null;
};

export type Column = {
  readonly durability: 'accepted' | 'durable';
  readonly broker: string;
  readonly floor: { pointsPerSecond: number; batch: number };
  readonly writes: readonly WriteMeasurement[];
};

const MIB = 1024 * 1024;

export function rowsOf(columns: readonly Column[]): Row[] {
  return columns.flatMap((column) => [
    {
      name: `floor: InfluxDB line protocol, best of batches of 1000, 5000, 10000 (${column.durability})`,
      ...{ value: Math.round(column.floor.pointsPerSecond), unit: 'points/s', ratio: null, bar: null, holds: null },
    },
    ...column.writes.flatMap((measured) => writeRows(column, measured)),
  ]);
}

function writeRows({ durability, floor }: Column, measured: WriteMeasurement): Row[] {
  const { name, bar = null, pointsPerRequest } = measured.scenario;
  const ratio = measured.pointsPerSecond / floor.pointsPerSecond;
  const isDocument = pointsPerRequest >= 1_000;
  const rate: Row = {
    name: `${name} (${durability})`,
    value: Math.round(isDocument ? measured.pointsPerSecond : measured.requestsPerSecond),
    unit: isDocument ? 'points/s' : 'requests/s',
    ratio: round(ratio, 3),
    bar,
    holds: bar === null ? null : ratio >= bar,
  };
  const latency = (label: string, value: number): Row => ({
    name: `${name}, ${label} (${durability})`,
    ...{ value: round(value, 1), unit: 'ms', ratio: null, bar: null, holds: null },
  });
  const memory = Object.entries(measured.peakBytes).map(([process, bytes]) => ({
    name: `${name}, peak RSS of ${process} (${durability})`,
    ...{ value: Math.round(bytes / MIB), unit: 'MiB', ratio: null, bar: null, holds: null },
  }));
  const goals = isDurable({ durability }) ? goalRows(measured, ratio) : [];
  return [rate, latency('p50', measured.p50Ms), latency('p99', measured.p99Ms), ...goals, ...memory];
}

function goalRows({ scenario: { goal }, ...measured }: WriteMeasurement, ratio: number): Row[] {
  const { name, leastRatio, leastRequestsPerSecond, mostP99Ms } = goal;
  const rows: Row[] = [];
  if (leastRatio !== undefined) {
    const value = Math.round(measured.pointsPerSecond);
    rows.push({ name: `${name} (durable)`, value, ...share(ratio, leastRatio), unit: 'points/s' });
  }
  if (leastRequestsPerSecond !== undefined)
    rows.push({
      name: `${name} (durable)`,
      ...least(measured.requestsPerSecond, leastRequestsPerSecond),
      unit: 'requests/s',
    });
  if (mostP99Ms !== undefined) {
    const { p99Ms } = measured;
    rows.push({
      name: `${name}, p99 (durable)`,
      ...{
        value: round(p99Ms, 1),
        unit: 'ms',
        ratio: round(p99Ms / mostP99Ms, 3),
        bar: mostP99Ms,
        holds: p99Ms <= mostP99Ms,
      },
    });
  }
  return rows;
}

const share = (ratio: number, bar: number) => ({ ratio: round(ratio, 3), bar, holds: ratio >= bar });
const least = (value: number, bar: number) => ({
  ...{ value: Math.round(value), ratio: round(value / bar, 3), bar, holds: value >= bar },
});

/** Both classes side by side, as people read it and as `bench/README.md` holds it. */
export function markdown(columns: readonly Column[]): string {
  const heads = columns.map(({ durability, broker }) => `*${durability}* (${broker})`);
  const lines = [`| work | ${heads.join(' | ')} |`, `|---|${'---|'.repeat(columns.length)}`];
  lines.push(
    `| InfluxDB's own floor | ${columns.map(({ floor }) => `${thousands(floor.pointsPerSecond)} points/s (batches of ${floor.batch})`).join(' | ')} |`,
  );
  for (const [index, { scenario }] of (columns[0]?.writes ?? []).entries()) {
    lines.push(
      `| ${scenario.name}, ${scenario.targets} connections | ${columns.map((column) => cell(column, index)).join(' | ')} |`,
    );
  }
  const goals = columns.filter(isDurable).flatMap(goalsOf);
  if (goals.length > 0) lines.push('', '| aim | measured | bar |', '|---|---|---|', ...goals.map(goalLine));
  for (const column of columns) lines.push('', `Peak RSS, class *${column.durability}*: ${peaks(column)}`);
  return lines.join('\n');
}

const isDurable = ({ durability }: Pick<Column, 'durability'>): boolean => durability === 'durable';
const goalsOf = ({ floor, writes }: Column): Row[] =>
  writes.flatMap((measured) => goalRows(measured, measured.pointsPerSecond / floor.pointsPerSecond));
const goalLine = ({ name, value, unit, ratio, bar, holds }: Row): string =>
  `| ${name} | ${thousands(value)} ${unit}, ratio ${ratio} | ${bar}: ${holds ? 'holds' : 'MISSED'} |`;

function cell({ writes, floor }: Column, index: number): string {
  const measured = writes[index];
  if (!measured) return '–';
  const ratio = measured.pointsPerSecond / floor.pointsPerSecond;
  const bar =
    measured.scenario.bar === undefined
      ? ''
      : ` (bar ${measured.scenario.bar}: ${ratio >= measured.scenario.bar ? 'holds' : 'MISSED'})`;
  const rate = `${thousands(measured.pointsPerSecond)} points/s, ${thousands(measured.requestsPerSecond)} requests/s`;
  return `${rate}, ratio ${round(ratio, 2)}${bar}, p50 ${round(measured.p50Ms, 1)} ms, p99 ${round(measured.p99Ms, 1)} ms`;
}

function peaks(column: Column): string {
  const highest: Record<string, number> = {};
  for (const { peakBytes } of column.writes) {
    for (const [name, bytes] of Object.entries(peakBytes)) highest[name] = Math.max(highest[name] ?? 0, bytes);
  }
  return Object.entries(highest)
    .map(([name, bytes]) => `${name} ${Math.round(bytes / MIB)} MiB`)
    .join(', ');
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
const thousands = (value: number): string => Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');

/** `npm run bench -- --json FILE` writes such figures. */
export type Row = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /**
   * The figure divided by its floor of the same run, or by its bar where it has no floor; null where it has neither.
   */
  readonly ratio: number | null;
  readonly bar: number | null;
  readonly holds: boolean | null;
};

/** Processes that take less are not named. */
const LEAST_CPU_MS = 0.005;

/** Makes a row that is only reported. */
export const figure = (name: string, value: number, unit: string): Row => ({
  name,
  value: rounded(value),
  unit,
  ratio: null,
  bar: null,
  holds: null,
});

/** @param floor the same done by the store alone, in the same run */
export function atLeastOfFloor(name: string, value: number, unit: string, floor: number, bar: number): Row {
  return { ...figure(name, value, unit), ratio: rounded(value / floor), bar, holds: value / floor >= bar };
}

export function atMostOfFloor(name: string, value: number, unit: string, floor: number, bar: number): Row {
  return { ...figure(name, value, unit), ratio: rounded(value / floor), bar, holds: value / floor <= bar };
}

export const atLeast = (name: string, value: number, unit: string, bar: number): Row => ({
  ...figure(name, value, unit),
  ratio: rounded(value / bar),
  bar,
  holds: value >= bar,
});

export const atMost = (name: string, value: number, unit: string, bar: number): Row => ({
  ...figure(name, value, unit),
  ratio: rounded(value / bar),
  bar,
  holds: value <= bar,
});

/** Reports processor time of a request, and where it goes. @param cpuMs by process */
export function processorTime(name: string, cpuMs: Readonly<Record<string, number>>): Row {
  const each = Object.entries(cpuMs).filter(([, ms]) => ms >= LEAST_CPU_MS);
  const spent = each.map(([process, ms]) => `${process} ${ms.toFixed(ms < 1 ? 3 : 1)}`).join(', ');
  const total = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  return figure(`${name}: processor time of a request (${spent})`, total, 'ms');
}

/** Returns the table as people read it, and as `bench/README.md` holds it. */
export function markdown(title: string, rows: readonly Row[]): string {
  return [`| ${title} | figure | ratio | bar |`, '|---|---|---|---|', ...rows.map(line)].join('\n');
}

const line = ({ name, value, unit, ratio, bar, holds }: Row): string =>
  `| ${name} | ${thousands(value)} ${unit} | ${ratio ?? '–'} | ${bar === null ? '–' : `${bar}: ${holds ? 'holds' : 'MISSED'}`} |`;

/** Small figures keep what matters of them. */
const rounded = (value: number): number => {
  const digits = Math.abs(value) >= 100 ? 0 : 3;
  return Math.round(value * 10 ** digits) / 10 ** digits;
};
const thousands = (value: number): string => value.toLocaleString('en-US').replaceAll(',', ' ');

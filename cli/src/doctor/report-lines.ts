import { countOf } from '@catchment/number-format';
import { type Finding, LEVELS, type Level } from './finding.ts';

const SIGN: Record<Level, string> = { ok: 'ok', unknown: 'unknown', warning: 'WARNING', problem: 'PROBLEM' };

/** The findings for people: a line each, with what to do below it, and a summary. */
export function reportLines(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ about }) => about.length), 0);
  return [
    ...findings.flatMap(({ level, about, says, advice }) => [
      `${SIGN[level].padEnd(8)} ${about.padEnd(width)}  ${says}`,
      ...(advice ? [`${' '.repeat(9)}${' '.repeat(width)}  → ${advice}`] : []),
    ]),
    '',
    summary(findings),
  ];
}

export const count = (findings: readonly Finding[]): Record<Level, number> =>
  Object.fromEntries(LEVELS.map((level) => [level, findings.filter((one) => one.level === level).length])) as Record<
    Level,
    number
  >;

function summary(findings: readonly Finding[]): string {
  const { problem, warning, unknown, ok } = count(findings);
  return `${countOf(problem, 'problem')}, ${countOf(warning, 'warning')}, ${unknown} not known, ${ok} ok`;
}

import { type Finding, LEVELS, type Level } from '@catchment/bus';
import { countOf } from '@catchment/number-format';

const SIGN: Record<Level, string> = { ok: 'ok', unknown: 'unknown', warning: 'WARNING', problem: 'PROBLEM' };

const MOST_ABOUT = 4;

/** Writes the findings for people: a line each, with what to do below it, and a summary. */
export function reportLines(findings: readonly Finding[]): string[] {
  const shown = findings.map((finding) => ({ ...finding, about: shortened(finding.about) }));
  const width = Math.max(...shown.map(({ about }) => about.length), 0);
  return [
    ...shown.flatMap(({ level, about, says, advice }) => [
      `${SIGN[level].padEnd(8)} ${about.padEnd(width)}  ${says}`,
      ...(advice ? [`${' '.repeat(9)}${' '.repeat(width)}  → ${advice}`] : []),
    ]),
    '',
    summary(findings),
  ];
}

/** A cause may be about many findings. */
function shortened(about: string): string {
  const all = about.split(', ');
  return all.length <= MOST_ABOUT
    ? about
    : `${all.slice(0, MOST_ABOUT - 1).join(', ')} and ${all.length - MOST_ABOUT + 1} more`;
}

export const count = (findings: readonly Finding[]): Record<Level, number> =>
  Object.fromEntries(
    LEVELS.map((level) => [level, findings.filter((finding) => finding.level === level).length]),
  ) as Record<Level, number>;

function summary(findings: readonly Finding[]): string {
  const { problem, warning, unknown, ok } = count(findings);
  return `${countOf(problem, 'problem')}, ${countOf(warning, 'warning')}, ${unknown} not known, ${ok} ok`;
}

/** The shortest range has two samples, also when a scrape comes late. */
const SHORTEST_RANGE_S = 8;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

export type Scale = {
  /** Durations are divided by it, */
  readonly factor: number;
  /** and are no longer than this. */
  readonly longestSeconds: number;
};

const seconds = (duration: string): number => {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(duration) ?? [];
  if (!count || !unit) throw new Error(`a duration of one unit is needed: ${duration}`);
  return Number(count) * (SECONDS[unit] as number);
};

const scaledSeconds = (duration: string, { factor, longestSeconds }: Scale, shortest: number): number =>
  Math.round(Math.max(shortest, Math.min(longestSeconds, seconds(duration) / factor)));
const scaled = (duration: string, scale: Scale, shortest: number): string =>
  `${scaledSeconds(duration, scale, shortest)}s`;

/**
 * Ranges, steps of subqueries and offsets of a query, ages that it is compared with, which are written `5 * 60`, and the requests that a
 * range must have at least.
 */
export function scaledQuery(promQl: string, scale: Scale): string {
  const leastOf = (range: string, least: number) =>
    Math.max(1, Math.round((least * scaledSeconds(range, scale, SHORTEST_RANGE_S)) / seconds(range)));
  return promQl
    .replaceAll(
      /(_count\{[^}]*\}\[(\w+)\]\)\) >= )(\d+)/g,
      (_all, before, range, least) => `${before}${leastOf(range, Number(least))}`,
    )
    .replaceAll(
      /\[(\w+):(\w+)\]/g,
      (_all, range, step) => `[${scaled(range, scale, SHORTEST_RANGE_S)}:${scaled(step, scale, 1)}]`,
    )
    .replaceAll(/\[(\w+)\]/g, (_all, range) => `[${scaled(range, scale, SHORTEST_RANGE_S)}]`)
    .replaceAll(/\boffset (\w+)/g, (_all, by) => `offset ${scaled(by, scale, 1)}`)
    .replaceAll(/\b(\d+) \* (60|3600)\b/g, (_all, count, unit) => `${count} * ${Number(unit) / scale.factor}`);
}

export type Group = {
  readonly name: string;
  readonly rules: readonly { readonly expr: string; readonly for?: string; readonly keep_firing_for?: string }[];
};

/** The same rules, only faster. */
export const scaledGroups = (groups: readonly Group[], scale: Scale): Group[] =>
  groups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({
      ...rule,
      expr: scaledQuery(rule.expr, scale),
      ...(rule.for !== undefined && { for: scaled(rule.for, scale, 0) }),
      ...(rule.keep_firing_for !== undefined && { keep_firing_for: scaled(rule.keep_firing_for, scale, 0) }),
    })),
  }));

import { LineError } from './line-value.ts';
import type { LineHead } from './parse-lines.ts';

/** Characters of a series' key. */
const MAX_KEY = 255;

/**
 * Names the series of a field, by the `lineSeries` of its source (docs/reference/line-protocol.md#which-series).
 * @throws LineError where a line lacks a tag that the rule names
 */
export type SeriesRule = (head: LineHead, field: string) => string;

/** @param rule with names in braces: `measurement`, `field`, else a tag; empty = as InfluxDB writes the line, without its time */
export function seriesRule(rule: string): SeriesRule {
  const parts = rule.split(/\{([^{}]+)\}/);
  const keyOf: SeriesRule =
    rule === ''
      ? ({ measurement, tags }, field) =>
          `${[measurement, ...[...tags].sort(byName).map(([name, value]) => `${name}=${value}`)].join(',')}/${field}`
      : (head, field) => parts.map((part, n) => (n % 2 === 0 ? part : partOf(part, head, field))).join('');
  return (head, field) => {
    const key = keyOf(head, field);
    if (key.length > MAX_KEY) throw new LineError(`series '${key.slice(0, 40)}…' is longer than ${MAX_KEY} characters`);
    return key;
  };
}

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

function partOf(name: string, { measurement, tags }: LineHead, field: string): string {
  if (name === 'measurement') return measurement;
  if (name === 'field') return field;
  const value = tags.get(name);
  if (value === undefined) throw new LineError(`missing tag '${name}', which the lineSeries of the source names`);
  return value;
}

import type { Rule } from './rule.ts';

/** Rules that several classes use. */
export const FLAG: Rule = { kind: 'boolean' };
export const NUMBER: Rule = { kind: 'number' };
export const whole = (min: number, max: number): Rule => ({ kind: 'integer', min, max });
export const text = (max: number, min = 0): Rule => ({ kind: 'text', min, max });
/** A text of several lines. */
export const lines = (max: number, min = 0): Rule => ({ kind: 'text', min, max, lines: true });
export const choice = (...of: readonly string[]): Rule => ({ kind: 'choice', of });

export const HEX_COLOUR: Rule = {
  kind: 'text',
  max: 7,
  pattern: /^#[0-9a-fA-F]{6}$/,
  rule: 'must be a colour such as #1f77b4',
};

/** `NOW-7D` or a timestamp (docs/reference/charts.md#historic-chart-node). */
export const MOMENT: Rule = {
  kind: 'anyOf',
  rules: [{ kind: 'opcTime' }, { kind: 'time' }],
  rule: 'must be a relative time such as NOW-7D or an ISO 8601 timestamp',
};

/** A program may name at most this much text (docs/reference/processing-and-ratings.md#process-nodes). */
export const CODE: Rule = { kind: 'code', max: 65_536 };

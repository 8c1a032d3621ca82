import { type Fields, invalidAttribute, type JsonObject, type Rule } from '../body/rule.ts';
import { CODE, choice, NUMBER } from '../body/rules.ts';
import type { Attributes } from './attributes.ts';

const program = (...runModes: readonly string[]): Attributes => ({
  process: {
    default: null,
    rule: {
      kind: 'object',
      fields: {
        code: { rule: CODE, default: '' },
        runMode: { rule: choice(...runModes), default: 'ALL_INPUTS' },
        qualityFilter: {
          rule: { kind: 'list', min: 1, max: 3, item: choice('GOOD', 'BAD', 'UNCERTAIN') },
        },
        secondaryInputs: { rule: choice('INTERPOLATED', 'RETAIN'), default: 'INTERPOLATED' },
        aggregateInputs: { rule: choice('PARTIAL', 'COMPLETE'), default: 'PARTIAL' },
      },
    },
  },
});

/** A program is stored in the words of docs/reference/processing-and-ratings.md#process-nodes. */
export type Process = {
  readonly code: string;
  readonly runMode: string;
  readonly qualityFilter?: readonly string[];
  readonly secondaryInputs: string;
  readonly aggregateInputs: string;
};

/** docs/reference/processing-and-ratings.md#process-nodes: a parameter runs when its inputs do, a processor on a schedule too. */
export const PROCESS_PARAMETER = program('ALL_INPUTS', 'ANY_INPUT');
export const PROCESSOR = program('ALL_INPUTS', 'ANY_INPUT', 'SCHEDULE');

/** See docs/reference/parameters.md#control-parameters. Only numbers have ranges, only numbers and texts have states. */
export const NUMBER_CONTROL: Attributes = {
  controlValueRestriction: { default: 'NONE', rule: choice('NONE', 'RANGE', 'STATES') },
  controlValueMinimum: { default: null, rule: NUMBER },
  controlValueMaximum: { default: null, rule: NUMBER },
};
export const TEXT_CONTROL: Attributes = {
  controlValueRestriction: { default: 'NONE', rule: choice('NONE', 'STATES') },
};
export const TIME_CONTROL: Attributes = { controlValueRestriction: { default: 'NONE', rule: choice('NONE') } };

/** @throws DomainError invalid_argument */
export function checkControl(config: JsonObject): void {
  const { controlValueRestriction, controlValueMinimum: min, controlValueMaximum: max } = config;
  if (controlValueRestriction === 'RANGE')
    for (const name of ['controlValueMinimum', 'controlValueMaximum'])
      if (config[name] === undefined) throw invalidAttribute(name, 'is required when controlValueRestriction is RANGE');
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    throw invalidAttribute('controlValueMaximum', 'must not be below controlValueMinimum');
}

const MAX_RATINGS = 100;
const MAX_ROWS = 1000;

type Row = readonly [input: number, result: number];
export type RatingEntry = { readonly startTime: string } & (
  | { readonly table: readonly Row[] }
  | { readonly equationType: 'POLYNOMIAL'; readonly coefficients: Readonly<Record<string, number>> }
);
export type Rating = { readonly inputNodeId: string; readonly ratings: readonly RatingEntry[] };

const TABLE: Rule = {
  kind: 'checked',
  rule: {
    kind: 'list',
    min: 1,
    max: MAX_ROWS,
    item: { kind: 'list', min: 2, max: 2, item: NUMBER },
  },
  check: (rows: readonly Row[], at) => {
    const seen = new Set<number>();
    for (const [i, [input]] of rows.entries()) {
      if (seen.has(input)) throw invalidAttribute(`${at}[${i}]`, 'must have an input that no other row has');
      seen.add(input);
    }
    return rows.toSorted(([a], [b]) => a - b);
  },
};

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const COEFFICIENTS: Rule = {
  kind: 'checked',
  rule: {
    kind: 'raw',
    of: { kind: 'object', fields: Object.fromEntries(LETTERS.map((letter) => [letter, { rule: NUMBER }])) },
  },
  check: readCoefficients,
};

/** Letters run from `a` on without gaps, in either case; `a` is the constant term. */
function readCoefficients(value: unknown, at: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidAttribute(at, 'must be an object');
  const given = Object.entries(value)
    .map(([key, number]): [string, unknown] => [key.toLowerCase(), number])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const isInOrder = given.every(([key], i) => key === LETTERS[i]);
  if (given.length === 0 || !isInOrder)
    throw invalidAttribute(at, 'must have single letters as keys, from a on without gaps');
  const numbers = given.map(([key, number]) => {
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw invalidAttribute(`${at}.${key}`, 'must be a finite number');
    return [key, number];
  });
  return Object.fromEntries(numbers) as JsonObject;
}

const ENTRY: Fields = {
  startTime: { required: true, rule: { kind: 'time' } },
  table: { rule: TABLE },
  equationType: { rule: choice('POLYNOMIAL') },
  coefficients: { rule: COEFFICIENTS },
};

/** See docs/reference/processing-and-ratings.md#ratings. */
export const RATING: Attributes = {
  rating: {
    default: null,
    rule: {
      kind: 'checked',
      rule: {
        kind: 'object',
        fields: {
          inputNodeId: {
            required: true,
            rule: {
              kind: 'nodeRef',
              classPrefix: 'point.Number',
              what: 'a Number parameter',
              sameWorkspace: true,
            },
          },
          ratings: {
            required: true,
            rule: {
              kind: 'list',
              max: MAX_RATINGS,
              uniqueBy: 'startTime',
              item: { kind: 'checked', rule: { kind: 'object', fields: ENTRY }, check: checkEntry },
            },
          },
        },
      },
      check: (rating: Rating, at, { nodeId }) => {
        if (rating.inputNodeId === nodeId) throw invalidAttribute(`${at}.inputNodeId`, 'must be another node');
        const ratings = rating.ratings.toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1));
        return { ...rating, ratings };
      },
    },
  },
};

/** Checks that an entry has a table or an equation, never both. */
function checkEntry(entry: JsonObject, at: string): JsonObject {
  const isEquation = entry.equationType !== undefined || entry.coefficients !== undefined;
  if ((entry.table !== undefined) === isEquation)
    throw invalidAttribute(at, 'must have either table or equationType with coefficients');
  if (isEquation)
    for (const name of ['equationType', 'coefficients'])
      if (entry[name] === undefined) throw invalidAttribute(`${at}.${name}`, 'is required of an equation');
  return entry;
}

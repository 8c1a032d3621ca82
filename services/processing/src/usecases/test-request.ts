import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import { parseTimeValueMs } from '@catchment/time';
import type { ProgramFacts } from './bind-program.ts';

/** The test is about this: fields of `process` that are not given are those of the node. */
export type TestRequest = {
  readonly process: Partial<
    Pick<ProgramFacts, 'code' | 'sharedCode' | 'runMode' | 'qualityFilter' | 'secondaryInputs' | 'aggregateInputs'>
  >;
  /** Both inclusive, Unix ms; from: where the range begins, or from the record of the first input that is this many before its end. */
  readonly from: { readonly startMs: number } | { readonly last: number };
  readonly endMs: number;
  readonly limit: number;
  /** Answers what the inputs were at each time. */
  readonly withInputs: boolean;
};

const MAX_RUNS = 10_000;
const DEFAULT_RUNS = 1_000;
const MAX_CODE_BYTES = 64 * 1024;
const WORDS = {
  runMode: ['ALL_INPUTS', 'ANY_INPUT', 'SCHEDULE'],
  secondaryInputs: ['INTERPOLATED', 'RETAIN'],
  aggregateInputs: ['PARTIAL', 'COMPLETE'],
} as const;
const TYPES = ['GOOD', 'BAD', 'UNCERTAIN'];
const TEXTS = ['code', 'sharedCode'] as const;
const FIELDS = [
  ...TEXTS,
  'startTime',
  'last',
  'endTime',
  'limit',
  'withInputs',
  'qualityFilter',
  ...Object.keys(WORDS),
];

/** @throws DomainError invalid_argument for a body that is not as documented */
export function readTestRequest(body: Uint8Array): TestRequest {
  const given = parseJsonBody(body);
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('INVALID_BODY', 'body: must be an object');
  const fields = given as Record<string, unknown>;
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw invalid('INVALID_ATTRIBUTE', `${unknown} is not an attribute of a test`);
  const from = beginningOf(fields);
  const endMs = timeOf('endTime', fields.endTime);
  if ('startMs' in from && from.startMs > endMs) throw invalid('INVALID_RANGE', 'startTime must not be after endTime');
  return {
    process: {
      ...textOf('code', fields),
      ...textOf('sharedCode', fields),
      ...wordOf('runMode', fields),
      ...wordOf('secondaryInputs', fields),
      ...wordOf('aggregateInputs', fields),
      ...filterOf(fields.qualityFilter),
    },
    from,
    endMs,
    limit: countOf('limit', fields.limit ?? ('last' in from ? from.last : DEFAULT_RUNS)),
    withInputs: flagOf('withInputs', fields.withInputs),
  };
}

function timeOf(name: string, value: unknown): number {
  const timeMs = parseTimeValueMs(value);
  if (timeMs === undefined) throw invalid('INVALID_TIME', `${name} must be an ISO 8601 timestamp`);
  return timeMs;
}

function beginningOf({ startTime, last }: Readonly<Record<string, unknown>>): TestRequest['from'] {
  if (last === undefined) return { startMs: timeOf('startTime', startTime) };
  if (startTime !== undefined) throw invalid('INVALID_RANGE', 'last: must not be given with startTime');
  return { last: countOf('last', last) };
}

function countOf(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_RUNS) return value;
  throw invalid('INVALID_ATTRIBUTE', `${name} must be an integer from 1 to ${MAX_RUNS}`);
}

function flagOf(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw invalid('INVALID_ATTRIBUTE', `${name} must be true or false`);
}

function textOf<Name extends (typeof TEXTS)[number]>(
  name: Name,
  fields: Readonly<Record<string, unknown>>,
): { [key in Name]?: string } {
  const value = fields[name];
  if (value === undefined) return {};
  if (typeof value === 'string' && Buffer.byteLength(value) <= MAX_CODE_BYTES)
    return { [name]: value } as { [key in Name]?: string };
  throw invalid('INVALID_ATTRIBUTE', `${name} must be a text of at most 64 KiB`);
}

function wordOf<Name extends keyof typeof WORDS>(
  name: Name,
  fields: Readonly<Record<string, unknown>>,
): { [key in Name]?: (typeof WORDS)[Name][number] } {
  const value = fields[name];
  if (value === undefined) return {};
  const word = WORDS[name].find((choice) => choice === value);
  if (word === undefined) throw invalid('INVALID_ATTRIBUTE', `${name} must be one of ${WORDS[name].join(', ')}`);
  return { [name]: word } as { [key in Name]?: (typeof WORDS)[Name][number] };
}

function filterOf(value: unknown): { qualityFilter?: readonly string[] } {
  if (value === undefined || value === null) return {};
  const isFilter = Array.isArray(value) && value.length > 0 && value.every((type) => TYPES.includes(type));
  if (!isFilter) throw invalid('INVALID_ATTRIBUTE', `qualityFilter must be null or some of ${TYPES.join(', ')}`);
  return { qualityFilter: value };
}

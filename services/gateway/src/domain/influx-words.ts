/** Clients of InfluxDB know a failure like this, of its version 1 or 2. */
type InfluxFailure = {
  readonly version: 1 | 2;
  readonly status: number;
  readonly message: string;
};

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  413: 'request too large',
  429: 'too many requests',
  503: 'unavailable',
};

/** Returns the body, and the header that has the text as well. */
export function influxFailure({ version, status, message }: InfluxFailure) {
  const text = message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
  return version === 1
    ? { body: { error: message }, headers: { 'x-influxdb-error': text } }
    : { body: { code: codeOf(status), message }, headers: { 'x-platform-error-code': codeOf(status) } };
}

const codeOf = (status: number): string => CODES[status] ?? 'internal error';

/** Counts what was left out of the lines of a request. */
export type LeftOut = { lines: number; dropped: number; readonly problems: string[] };

const PROBLEMS_MAX = 10;

export function addLeftOut(all: LeftOut, { lines, dropped, problems }: LeftOut): void {
  all.lines += lines;
  all.dropped += dropped;
  for (const problem of problems)
    if (all.problems.length < PROBLEMS_MAX && !all.problems.includes(problem)) all.problems.push(problem);
}

/** Says it in InfluxDB's words, with the number of lines; undefined where nothing was left out. */
export function leftOutText({ lines, dropped, problems }: LeftOut): string | undefined {
  if (dropped === 0) return undefined;
  const text = problems.join('\n');
  const isUnread = dropped === lines && problems.every((problem) => problem.startsWith('unable to parse'));
  return isUnread && dropped <= problems.length ? text : `partial write: ${text} dropped=${dropped}`;
}

const PRECISIONS_1: ReadonlyMap<string, string> = new Map([
  ['n', 'ns'],
  ['ns', 'ns'],
  ['u', 'us'],
  ['us', 'us'],
  ['µ', 'us'],
  ['ms', 'ms'],
  ['s', 's'],
  ['m', 'm'],
  ['h', 'h'],
]);
const PRECISIONS_2: ReadonlySet<string> = new Set(['ns', 'us', 'ms', 's']);

/** @returns the precision of times, or what is wrong with the argument */
export function precisionOf(version: 1 | 2, given: string | undefined): { precision: string } | { problem: string } {
  if (!given) return { precision: 'ns' };
  const precision = version === 1 ? PRECISIONS_1.get(given) : PRECISIONS_2.has(given) ? given : undefined;
  if (precision) return { precision };
  const shown = JSON.stringify(given.slice(0, 40));
  return {
    problem:
      version === 1
        ? `invalid precision ${shown} (use n, u, ms, s, m or h)`
        : `precision: ${shown} is invalid; valid precision units are ns, us, ms, and s`,
  };
}

/** A database or bucket is a data source: its id, or its customId with or without `@`. */
export const sourceRefOf = (name: string): string =>
  /^[0-9a-f]{24}$/i.test(name) || name.startsWith('@') ? name : `@${name}`;

const CREATE_DATABASE = /^\s*create\s+database\s+(?:"[^"\n]{1,255}"|[\w@.-]{1,255})(?:\s+with\s[^;]{0,500})?\s*;?\s*$/i;
export const isCreateDatabase = (statement: string): boolean => CREATE_DATABASE.test(statement);

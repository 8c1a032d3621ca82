import { RE2JS } from 're2js';

const CACHE_MAX = 500;
const SOURCE_MAX = 1000;
/** Matching costs at most (characters × instructions) steps: 10 000 characters stay within some ten milliseconds. */
const PROGRAM_MAX = 500;

/** The source between the slashes of `/…/`, or undefined for a plain text threshold. */
export const regexSource = (threshold: string): string | undefined =>
  threshold.length > 2 && threshold.startsWith('/') && threshold.endsWith('/') ? threshold.slice(1, -1) : undefined;

/** `null` stands for a source that does not compile. The oldest entry makes room. */
const compiled = new Map<string, RE2JS | null>();

function compile(source: string): RE2JS | null {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const regex = compileUncached(source);
  if (compiled.size >= CACHE_MAX) compiled.delete(compiled.keys().next().value!);
  compiled.set(source, regex);
  return regex;
}

function compileUncached(source: string): RE2JS | null {
  if (source.length > SOURCE_MAX) return null;
  try {
    const regex = RE2JS.compile(source);
    return regex.programSize() <= PROGRAM_MAX ? regex : null;
  } catch {
    return null;
  }
}

/** Steps that a character costs at most. @returns undefined for no regular expression of RE2 syntax, and for one that is too large */
export const regexSize = (source: string): number | undefined => compile(source)?.programSize();

/** docs/reference/states.md#matching: the value contains the threshold (case-sensitive), or the expression of `/…/` is found in it. */
export function textMatches(threshold: string, value: string): boolean {
  const source = regexSource(threshold);
  if (source === undefined) return value.includes(threshold);
  return compile(source)?.matcher(value).find() ?? false;
}

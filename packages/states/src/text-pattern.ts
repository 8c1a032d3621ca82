import { RE2JS } from 're2js';

const CACHE_MAX = 500;
const SOURCE_MAX = 2000;
/** Matching costs at most (characters × instructions) steps: 10 000 characters stay within some ten milliseconds. */
const PROGRAM_MAX = 500;
const TEXT_MAX = 10_000;

/** The source between the slashes of `/…/`, or undefined for a plain text threshold. */
export const regexSource = (threshold: string): string | undefined =>
  threshold.length > 2 && threshold.startsWith('/') && threshold.endsWith('/') ? threshold.slice(1, -1) : undefined;

/** `null` stands for a source that does not compile. The oldest entry makes room. */
const compiled = new Map<string, RE2JS | null>();

function compile(source: string, flags = 0): RE2JS | null {
  const key = `${flags} ${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const regex = compileUncached(source, flags);
  if (compiled.size >= CACHE_MAX) compiled.delete(compiled.keys().next().value!);
  compiled.set(key, regex);
  return regex;
}

function compileUncached(source: string, flags: number): RE2JS | null {
  if (source.length > SOURCE_MAX) return null;
  try {
    const regex = RE2JS.compile(source, flags);
    return regex.programSize() <= PROGRAM_MAX ? regex : null;
  } catch {
    return null;
  }
}

/**
 * Looks for what a person's regular expression says, in any text: longer ones than 10 000 characters have none.
 * @returns undefined for no regular expression of RE2 syntax, and for one that is too large
 */
export function searchOf(source: string, { ignoresCase = false } = {}): ((text: string) => boolean) | undefined {
  const regex = compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  return regex === null ? undefined : (text) => text.length <= TEXT_MAX && regex.matcher(text).find();
}

/** Steps that a character costs at most. @returns undefined for no regular expression of RE2 syntax, and for one that is too large */
export const regexSize = (source: string): number | undefined => compile(source)?.programSize();

/** docs/reference/states.md#matching: the value contains the threshold (case-sensitive), or the expression of `/…/` is found in it. */
export function textMatches(threshold: string, value: string): boolean {
  const source = regexSource(threshold);
  if (source === undefined) return value.includes(threshold);
  return compile(source)?.matcher(value).find() ?? false;
}

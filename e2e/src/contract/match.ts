/** Rows gave these names to ids and other values of answers. */
export type Names = Map<string, string>;

/**
 * Compares a part of a document with what a row expects of it: objects may have more attributes, arrays have exactly these
 * items. Words that mean more than themselves are listed in e2e/contract/README.md.
 * @returns the difference, undefined = none
 */
export function mismatchOf(actual: unknown, expected: unknown, names: Names, at = 'answer'): string | undefined {
  if (typeof expected === 'string' && expected.startsWith('$')) return mismatchOfWord(actual, expected, names, at);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${at} is ${JSON.stringify(actual)}, no array`;
    if (actual.length !== expected.length)
      return `${at} has ${actual.length} items, not ${expected.length}: ${brief(actual)}`;
    return firstOf(expected.map((item, index) => () => mismatchOf(actual[index], item, names, `${at}[${index}]`)));
  }
  if (typeof expected === 'object' && expected !== null) return mismatchOfObject(actual, expected, names, at);
  return Object.is(actual, expected) ? undefined : `${at} is ${brief(actual)}, not ${JSON.stringify(expected)}`;
}

function mismatchOfWord(actual: unknown, word: string, names: Names, at: string): string | undefined {
  if (word === '$any') return actual === undefined || actual === null ? `${at} is missing` : undefined;
  if (word === '$none') return actual === undefined || actual === null ? undefined : `${at} is ${brief(actual)}`;
  if (word === '$time') return TIME.test(String(actual)) ? undefined : `${at} is ${brief(actual)}, no time`;
  const [, name] = /^\$=(\w+)$/.exec(word) ?? [];
  if (name) {
    if (typeof actual !== 'string') return `${at} is ${brief(actual)}, no text`;
    names.set(name, actual);
    return undefined;
  }
  return actual === word ? undefined : `${at} is ${brief(actual)}, not ${word}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function mismatchOfObject(actual: unknown, expected: object, names: Names, at: string): string | undefined {
  const [[first = '', rule] = []] = Object.entries(expected);
  if (first === '$keys') {
    const keys = Object.keys((actual ?? {}) as object).join();
    return keys === (rule as string[]).join() ? undefined : `${at} has ${keys}`;
  }
  if (['$some', '$no', '$length'].includes(first)) {
    if (!Array.isArray(actual)) return `${at} is ${brief(actual)}, no array`;
    if (first === '$length')
      return actual.length === rule ? undefined : `${at} has ${actual.length} items: ${brief(actual)}`;
    const found = actual.find((item) => mismatchOf(item, rule, new Map(names)) === undefined);
    if (first === '$no') return found === undefined ? undefined : `${at} has ${brief(found)}`;
    return found === undefined ? `${at} has no such item: ${brief(actual)}` : mismatchOf(found, rule, names);
  }
  if (typeof actual !== 'object' || actual === null) return `${at} is ${brief(actual)}, no object`;
  return firstOf(
    Object.entries(expected).map(
      ([key, value]) =>
        () =>
          mismatchOf((actual as Record<string, unknown>)[key], value, names, `${at}.${key}`),
    ),
  );
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const wrong = check();
    if (wrong) return wrong;
  }
  return undefined;
}

const brief = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 300);

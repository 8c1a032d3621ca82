/** Calls that name a node by its path, and a word of the classes that each may name. */
export const READERS: Readonly<Record<string, string>> = {
  NODE: '',
  NODES: '',
  NUMBER: 'point.Number',
  TEXT: 'point.Text',
  TIME: 'point.Time',
  BOOLEAN: 'point.Number',
};

/**
 * A program may use these beside the language itself, as docs/reference/processing-and-ratings.md#program-language lists them: a test
 * compares the two. Words say what each means.
 */
export const NAMES = [
  'NOW',
  'THIS',
  'SOURCE',
  'LOCATION',
  'WORKSPACE',
  'NODE',
  'NODES',
  'NUMBER',
  'TEXT',
  'TIME',
  'BOOLEAN',
  'T',
  'Q',
  'AUTH',
  'console',
  'require',
] as const;

/** Shared code may use these of them. */
export const SHARED_NAMES: ReadonlySet<string> = new Set(['console', 'require']);

/** `require` knows these libraries, with their functions where these are few. */
export const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  moment: [],
  everpolate: ['step', 'linear', 'poly', 'regression'],
};

/** An input has these beside the attributes of its node. */
export const OF_INPUTS = ['currentValue', 'currentTime', 'currentQuality', 'newestTime'] as const;
export const OF_NODES = ['name', 'units', 'metadata'] as const;

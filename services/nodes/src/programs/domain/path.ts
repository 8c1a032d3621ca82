import { isStorableText, parseNodeRef, printable } from '@catchment/ids';
import { nameKey, readName } from '../../domain/body/names.ts';

/** A program stands here: its paths are relative to its parent. */
export type Standpoint = {
  readonly ownerId: string;
  readonly nodeId: string;
  readonly parentId: string;
  readonly isProcessor: boolean;
};

/** One step up; no name is like it. */
const UP = '..';

/** A walk leads from a node of an account to another. */
export type Walk = {
  readonly ownerId: string;
  /** One of these three: where it begins. `root` is the name of a Workspace. */
  readonly nodeId?: string;
  readonly customId?: string;
  readonly root?: string;
  /** `UP`, or names as `nameKey`. */
  readonly steps: readonly string[];
};

/** A path as looked up. */
export type PlannedPath = {
  /** The walks are tried in this order; the first that leads somewhere counts. */
  readonly walks: readonly Walk[];
  /** NODES takes those nodes below the end of the walk whose names match, in RE2 syntax. */
  readonly pattern?: string;
  /** A processor may declare this name of one element as an output. */
  readonly isBare: boolean;
  /** The account of AUTH; absent means the account of the program. */
  readonly slug?: string;
};

const MAX_LENGTH = 2_000;
const MAX_STEPS = 50;

/**
 * Reads a path (docs/reference/processing-and-ratings.md#paths).
 * @param slugs accounts of AUTH with their ids
 * @returns why it is none, for people
 */
export function planPath(
  path: string,
  many: boolean,
  from: Standpoint,
  slugs: ReadonlyMap<string, string>,
): PlannedPath | string {
  if (path.length > MAX_LENGTH) return `a path has at most ${MAX_LENGTH} characters`;
  // The store refuses to look for such a name, and with it all other paths of the question.
  if (!isStorableText(path)) return noNode(path);
  const elements = path.split('/').map((element) => element.trim());
  const isAbsolute = path.trim().startsWith('/');
  if (isAbsolute) elements.shift();
  if (elements.length > MAX_STEPS || elements.includes('')) return noNode(path);
  const isReference = /^\{.*\}$/.test(elements[0] ?? '');
  const isBare = elements.length === 1 && !isAbsolute && !isReference;
  const pattern = many && !(isReference && elements.length === 1) ? elements.pop() : undefined;
  const more = { isBare, ...(pattern !== undefined && { pattern }) };
  if (isAbsolute) return absolute(path, elements, from, slugs, more);
  if (isReference) {
    const ref = parseNodeRef((elements.shift() ?? '').slice(1, -1).trim());
    if (!ref) return noNode(path);
    const start = ref.kind === 'id' ? { nodeId: ref.id } : { customId: ref.customId };
    return { walks: [{ ownerId: from.ownerId, ...start, steps: stepsOf(elements) }], ...more };
  }
  const at = (nodeId: string): Walk => ({ ownerId: from.ownerId, nodeId, steps: stepsOf(elements) });
  // Outputs of a processor come first.
  return { walks: [...(isBare && from.isProcessor ? [at(from.nodeId)] : []), at(from.parentId)], ...more };
}

function absolute(
  path: string,
  elements: string[],
  from: Standpoint,
  slugs: ReadonlyMap<string, string>,
  more: Pick<PlannedPath, 'isBare' | 'pattern'>,
): PlannedPath | string {
  const slug = elements[0] !== undefined && slugs.has(elements[0]) ? elements.shift() : undefined;
  const ownerId = slug === undefined ? from.ownerId : (slugs.get(slug) ?? '');
  const workspace = elements.shift();
  if (workspace === undefined) return noNode(path);
  const walk = { ownerId, root: nameKey(workspace), steps: stepsOf(elements) };
  return { walks: [walk], ...more, ...(slug !== undefined && { slug }) };
}

/** `.` is where one is. */
const stepsOf = (elements: readonly string[]): string[] =>
  elements.filter((element) => element !== '.').map((element) => (element === UP ? UP : nameKey(element)));

export const noNode = (path: string): string => `no node '${printable(path)}'`;

/** Returns whether a processor may have an output of that name. */
export function isOutputName(name: string): boolean {
  try {
    return readName(name) === name.trim();
  } catch {
    return false;
  }
}

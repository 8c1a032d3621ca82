import type { Field } from './schema.ts';

export type Document = Readonly<Record<string, unknown>>;

/** Somebody has typed this over a document, as it was when they began. */
export type Draft = {
  readonly base: Document;
  readonly revision: string;
  /** The key is the attribute, with what it is to be. */
  readonly changes: Document;
};

export type Change = { readonly name: string; readonly before: unknown; readonly after: unknown };
export type Conflict = {
  readonly name: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
};

export const clean = (base: Document, revision: string): Draft => ({ base, revision, changes: {} });

/** Returns true where both are equal as JSON; the order of attributes does not matter, and an absent one is null. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  const [left, right] = [a as Document, b as Document];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) => isSame(left[name], right[name]));
}

/** Returns the draft with an attribute as it is to be; one that is as it was is no change. */
export function changed(draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _before, ...others } = draft.changes;
  const isChange = !isSame(value, draft.base[name]);
  return { ...draft, changes: isChange ? { ...others, [name]: value } : others };
}

export const documentOf = ({ base, changes }: Draft): Document => ({ ...base, ...changes });

export const changesOf = ({ base, changes }: Draft): readonly Change[] =>
  Object.entries(changes).map(([name, after]) => ({ name, before: base[name], after }));

/**
 * Lays the draft over a newer document. What somebody else has changed, too, and differently, is a conflict: it stays as it is here, until
 * one of both is taken.
 */
export function rebased(
  draft: Draft,
  theirs: Document,
  revision: string,
): { readonly draft: Draft; readonly conflicts: readonly Conflict[] } {
  const conflicts: Conflict[] = [];
  const changes: Record<string, unknown> = {};
  for (const [name, mine] of Object.entries(draft.changes)) {
    const [base, other] = [draft.base[name], theirs[name]];
    if (isSame(other, mine)) continue;
    changes[name] = mine;
    if (!isSame(other, base)) conflicts.push({ name, base, theirs: other, mine });
  }
  return { draft: { base: theirs, revision, changes }, conflicts };
}

/**
 * Lays the typed values over a document that somebody else has saved meanwhile. An untouched attribute is theirs. An attribute that both
 * have changed differently is a conflict, which stays as it was typed.
 */
export function overTheirs<T extends Document>(
  base: T,
  mine: T,
  theirs: T,
): { readonly values: T; readonly conflicts: readonly Conflict[] } {
  const typed = Object.entries(mine).reduce((draft, [name, value]) => changed(draft, name, value), clean(base, ''));
  const { draft, conflicts } = rebased(typed, theirs, '');
  return { values: documentOf(draft) as T, conflicts };
}

/** Returns the value as a body has it: objects have only what the schema knows and is not read-only. */
export function forBody(value: unknown, { shape }: Field): unknown {
  if (value === null || value === undefined) return null;
  switch (shape.kind) {
    case 'list':
      return Array.isArray(value) ? value.map((item) => forBody(item, shape.item)) : value;
    case 'object':
      return objectForBody(value as Document, shape.fields);
    case 'oneOf': {
      const { _class } = value as Document;
      const option = shape.options.find(({ name }) => name === _class);
      return option ? { _class, ...objectForBody(value as Document, option.fields) } : value;
    }
    default:
      return value;
  }
}

function objectForBody(value: Document, fields: readonly Field[]): Document {
  const known = fields.filter(({ name }) => value[name] !== undefined);
  return Object.fromEntries(known.map((field) => [field.name, forBody(value[field.name], field)]));
}

/** Returns what is different in the second of two objects; lists and objects of another class are whole. */
export function differenceOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const names = Object.keys(after).filter((name) => !isSame(before[name], after[name]));
  return Object.fromEntries(names.map((name) => [name, differenceOf(before[name], after[name])]));
}

const isObject = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Picks what a value has that another one has not: of a list of named entries those that are different, and of each what is; of a text of
 * lines those between the first and the last that are different.
 */
export function partOf(other: unknown, value: unknown): unknown {
  if (typeof other === 'string' && typeof value === 'string' && /\n/.test(other + value)) return linesOf(other, value);
  if (!Array.isArray(other) || !Array.isArray(value) || !value.every(isObject)) return differenceOf(other, value);
  const entries = value as readonly Document[];
  const others = (other as readonly unknown[]).filter(isObject);
  return entries.flatMap((entry, i) => {
    const known = entry._id ?? entry.name;
    const before = known === undefined ? others[i] : others.find(({ _id, name }) => (entry._id ? _id : name) === known);
    if (!before) return [entry];
    if (isSame(before, entry)) return [];
    return [{ ...(entry.name !== undefined && { name: entry.name }), ...(differenceOf(before, entry) as Document) }];
  });
}

/** Returns the lines of a text from the first to the last that another text has not at its place, with their numbers. */
function linesOf(other: string, value: string): string {
  // An empty text has no line.
  const [others, lines] = [other, value].map((text) => (text === '' ? [] : text.split('\n'))) as [string[], string[]];
  const most = Math.min(others.length, lines.length);
  let head = 0;
  while (head < most && others[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < most - head && others.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  return lines
    .slice(head, lines.length - tail)
    .map((line, i) => `${head + i + 1}: ${line}`)
    .join('\n');
}

/** Finds what makes the second document of the first; a part that is gone is null. */
export function changesBetween(base: Document, next: Document): Document {
  const names = [...new Set([...Object.keys(base), ...Object.keys(next)])];
  return Object.fromEntries(
    names.filter((name) => !isSame(base[name], next[name])).map((name) => [name, next[name] ?? null]),
  );
}

/** A node's attributes, by name. */
export type Values = Readonly<Record<string, unknown>>;
/** The nodes of an instance stand by those of its template that they follow. */
export type Following = ReadonlyMap<string, string>;

/** A transport of an instance has these whatever its template says (docs/reference/templates.md#changes-of-a-template). */
const OWN_PARTS: ReadonlySet<string> = new Set(['key', 'deviceId', 'siteId', 'waspmoteId']);
/** An override of another attribute covers these. */
const PARTS: Readonly<Record<string, string>> = { statesType: 'states', hysteresis: 'states' };
/** Each node has these itself from the beginning: they neither follow a template nor are they locked. */
const OWN: ReadonlySet<string> = new Set(['customId', 'isPublic', 'publicId', 'overrides']);
const HIDDEN = '********';

export const overrideOf = (attribute: string): string => PARTS[attribute] ?? attribute;

/** Returns a value as in an instance: without ids of its parts, what goes on and what is hidden; ids of nodes are the instance's. */
export function comparable(name: string, value: unknown, following: Following = new Map()): unknown {
  if (name === 'alarms' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([type, value]) => [
        type,
        plain((value as { config?: unknown }).config ?? null, following),
      ]),
    );
  const parts = plain(value, following);
  if (name !== 'transport' || !isObject(parts)) return parts;
  return Object.fromEntries(Object.entries(parts).filter(([part]) => !OWN_PARTS.has(part)));
}

function plain(value: unknown, following: Following): unknown {
  if (value === undefined || value === null || value === HIDDEN) return null;
  if (typeof value === 'string') return following.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => plain(item, following));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([part, value]) => part !== '_id' && value !== null && value !== undefined && value !== HIDDEN)
      .map(([part, value]) => [part, plain(value, following)]),
  );
}

/** Returns the body that gives an attribute of an instance back to its template. */
export function returned(name: string, template: unknown, following: Following): unknown {
  const value = comparable(name, template, following);
  if (name !== 'alarms' || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([type, config]) => [type, { config }]));
}

export const isSameValue = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b);

const ordered = (value: unknown): string =>
  JSON.stringify(value ?? null, (_name, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Nodes that follow a template's node get its attribute like this. */
export type Fate =
  /** All are changed. */
  | 'follows'
  /** Each keeps what it has. */
  | 'kept'
  /** It could be their own, and is the template's again: those are changed that have another one. */
  | 'reset'
  /** It may be their own from now on: nothing is changed by that. */
  | 'opened';

type Asked = { readonly before: Values; readonly changes: Values; readonly isRoot: boolean };

/** Tells what a change of a template's node does, by attribute (docs/reference/templates.md#changes-of-a-template). */
export function fatesOf({ before, changes, isRoot }: Asked): ReadonlyMap<string, Fate> {
  const namesOf = (value: unknown) => new Set(Array.isArray(value) ? (value as string[]) : []);
  const was = namesOf(before.overrides);
  const is = Object.hasOwn(changes, 'overrides') ? namesOf(changes.overrides) : was;
  const fates = new Map<string, Fate>();
  for (const name of was) if (!is.has(name)) fates.set(name, 'reset');
  for (const name of is) if (!was.has(name)) fates.set(name, 'opened');
  for (const name of Object.keys(changes)) {
    if (OWN.has(name)) continue;
    const override = overrideOf(name);
    // The name of an instance as a whole is its own.
    if (is.has(override) || (isRoot && name === 'name')) fates.set(name, 'kept');
    else if (!was.has(override)) fates.set(name, 'follows');
  }
  return fates;
}

/** Returns a node as a body would leave it: of alarms a body has only what changes. */
export function changedBy(node: Values, changes: Values): Values {
  const { alarms } = changes;
  if (!isObject(alarms)) return { ...node, ...changes };
  const before = isObject(node.alarms) ? node.alarms : {};
  const merged = Object.entries(alarms).map(([type, alarm]) => {
    const stored = (before[type] ?? {}) as { readonly config?: object };
    return [type, { ...stored, config: { ...stored.config, ...(alarm as { readonly config?: object }).config } }];
  });
  return { ...node, ...changes, alarms: { ...before, ...Object.fromEntries(merged) } };
}

/** Counts how many of the nodes that follow are changed in an attribute, and how many keep another value than the template's. */
export function countsOf(
  name: string,
  fate: Fate,
  { after, nodes }: { readonly after: Values; readonly nodes: readonly Values[] },
): { readonly changed: number; readonly kept: number } {
  if (fate === 'follows') return { changed: nodes.length, kept: 0 };
  const wanted = comparable(name, after[name]);
  const others = nodes.filter((node) => !isSameValue(comparable(name, node[name]), wanted)).length;
  switch (fate) {
    case 'reset':
      return { changed: others, kept: 0 };
    case 'kept':
      return { changed: 0, kept: others };
    default:
      return { changed: 0, kept: 0 };
  }
}

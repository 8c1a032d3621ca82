import { isJsonObject } from '@catchment/json-body';
/** A tree of names in the order in which they were listed; `null` = the whole value. */
export type AttrSelector = ReadonlyMap<string, AttrSelector | null>;
type Tree = Map<string, Tree | null>;

/** Parses the selection of an `attr` argument (docs/reference/query-arguments.md#attr): comma-separated, dotted names. Never fails. */
export function parseAttr(text: string): AttrSelector {
  const root: Tree = new Map();
  for (const path of text.split(',')) {
    const names = path.trim().split('.');
    if (names.every((name) => name.length > 0)) add(root, names);
  }
  return root;
}

function add(root: Tree, names: readonly string[]): void {
  let tree = root;
  for (const [i, name] of names.entries()) {
    if (i === names.length - 1) {
      tree.set(name, null);
      return;
    }
    const known = tree.get(name);
    if (known === null) return; // the whole is listed already
    const next: Tree = known ?? new Map();
    tree.set(name, next);
    tree = next;
  }
}

/** True when the selection shows anything of the dotted `path`: is it worth computing? No selection shows all. */
export function selects(selector: AttrSelector | undefined, path: string): boolean {
  let tree: AttrSelector | null | undefined = selector;
  if (tree === undefined) return true;
  for (const name of path.split('.')) {
    tree = tree.get(name);
    if (tree === null) return true;
    if (tree === undefined) return false;
  }
  return true;
}

/**
 * Makes a new object with exactly the selected attributes in the order of the selection; names that the object lacks are left
 * out, dotted names keep their nesting and reach into every element of an array.
 */
export function selectAttributes(
  object: Readonly<Record<string, unknown>>,
  selector: AttrSelector,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, inner] of selector) {
    if (!Object.hasOwn(object, name) || name === '__proto__') continue;
    const value = inner === null ? object[name] : selectInside(object[name], inner);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function selectInside(value: unknown, selector: AttrSelector): unknown {
  if (Array.isArray(value)) {
    const elements = value.filter(isJsonObject).map((element) => selectAttributes(element, selector));
    return elements.some((element) => Object.keys(element).length > 0) ? elements : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const inside = selectAttributes(value, selector);
  return Object.keys(inside).length > 0 ? inside : undefined;
}

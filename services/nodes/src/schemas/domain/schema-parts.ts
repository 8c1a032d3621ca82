import type { JsonObject } from '../../domain/body/rule.ts';

/** An attribute has this schema in one class. */
export type AttributeUse = { readonly owner: string; readonly attribute: string; readonly schema: JsonObject };

/** Smaller schemas stand where they are used. */
const LARGE = 200;

/** Parts of schemas have names, so that each is written once. */
export class SchemaParts {
  readonly all: Record<string, JsonObject> = {};

  /**
   * Returns the same uses with references in the place of large parts. A part has the name in its `$id`, or that of its attribute, with the
   * class before it where another class has another schema, or no other has the attribute.
   * @param suffix of names made of attributes
   */
  shared(uses: readonly AttributeUse[], suffix: string): AttributeUse[] {
    const named = uses.map((use) => ({ ...use, schema: this.#withoutNamed(use.schema) as JsonObject }));
    const ids = new Map<string, string>();
    for (const [attribute, group] of Map.groupBy(named.filter(isLarge), (use) => use.attribute)) {
      const byText = Map.groupBy(group, ({ schema }) => JSON.stringify(schema));
      const isOfMany = byText.size === 1 && group.length > 1;
      for (const [text, [first]] of byText)
        if (first) ids.set(text, `${isOfMany ? '' : first.owner}${upper(attribute)}${suffix}`);
    }
    for (const [text, id] of ids) this.#add(id, this.#withIds(JSON.parse(text), ids, text) as JsonObject);
    return named.map((use) => ({ ...use, schema: this.#withIds(use.schema, ids) as JsonObject }));
  }

  #withoutNamed(schema: unknown): unknown {
    return mapped(schema, (part) => {
      const { $id, ...rest } = part as { readonly $id?: unknown };
      if (typeof $id !== 'string') return undefined;
      this.#add($id, this.#withoutNamed(rest) as JsonObject);
      return { $ref: `${$id}#` };
    });
  }

  /** @param partText text of the part itself, which is not replaced */
  #withIds(schema: unknown, ids: ReadonlyMap<string, string>, partText?: string): unknown {
    return mapped(schema, (part) => {
      const text = JSON.stringify(part);
      const id = text === partText ? undefined : ids.get(text);
      return id === undefined ? undefined : { $ref: `${id}#` };
    });
  }

  #add(id: string, schema: JsonObject): void {
    const known = this.all[id] ?? schema;
    if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas have the name ${id}`);
    this.all[id] = known;
  }
}

/** References are short already. */
const isLarge = ({ schema }: AttributeUse): boolean =>
  JSON.stringify(schema).replaceAll(/\{"\$ref":"\w+#"\}/g, '').length > LARGE;

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns a copy in which the objects that `map` answers something for are replaced. */
function mapped(value: unknown, map: (object: object) => object | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return map(value) ?? Object.fromEntries(Object.entries(value).map(([name, value]) => [name, mapped(value, map)]));
}

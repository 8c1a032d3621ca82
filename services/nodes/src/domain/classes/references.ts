import { isJsonObject, type JsonObject, type Rule } from '../body/rule.ts';
import type { Config } from './node.ts';
import type { NodeClass } from './node-class.ts';

type ReferenceRule = Extract<Rule, { kind: 'nodeRef' }>;
/** Maps a reference; undefined = it is left out. */
type Visit = (reference: string, rule: ReferenceRule) => string | undefined;

/** Returns all references of a body or a stored configuration by the table of its class, each once. */
export const referencesIn = (cls: NodeClass, values: JsonObject): Set<string> => collected(cls, values, () => true);

/** Returns references that lead nowhere once their target lies in another Workspace. */
export const workspaceReferencesIn = (cls: NodeClass, values: JsonObject): Set<string> =>
  collected(cls, values, ({ sameWorkspace }) => sameWorkspace === true);

function collected(cls: NodeClass, values: JsonObject, counts: (rule: ReferenceRule) => boolean): Set<string> {
  const found = new Set<string>();
  mapAttributes(cls, values, (reference, rule) => {
    if (counts(rule)) found.add(reference);
    return reference;
  });
  return found;
}

/** Returns a stored configuration with its references replaced. */
export const mapReferences = (cls: NodeClass, config: Config, visit: Visit): Config =>
  ({ ...config, ...mapAttributes(cls, config, visit) }) as Config;

function mapAttributes(cls: NodeClass, values: JsonObject, visit: Visit): JsonObject {
  const result: Record<string, unknown> = {};
  for (const [name, { rule }] of Object.entries(cls.attributes)) {
    if (!Object.hasOwn(values, name)) continue;
    const mapped = mapValue(rule, values[name], visit);
    // A key that is kept with undefined vanishes as JSON.
    result[name] = mapped;
  }
  return result;
}

/** Values of another shape than their rule's are left for the rule to refuse. */
function mapValue(rule: Rule, value: unknown, visit: Visit): unknown {
  switch (rule.kind) {
    case 'nodeRef':
      return typeof value === 'string' ? visit(value, rule) : value;
    case 'list':
      // Longer lists are refused; their references need no look.
      return Array.isArray(value) ? value.slice(0, rule.max).map((item) => mapValue(rule.item, item, visit)) : value;
    case 'object': {
      if (!isJsonObject(value)) return value;
      const mapped: Record<string, unknown> = { ...value };
      for (const [name, field] of Object.entries(rule.fields))
        if (Object.hasOwn(value, name)) mapped[name] = mapValue(field.rule, value[name], visit);
      return mapped;
    }
    case 'checked':
      return mapValue(rule.rule, value, visit);
    default:
      return value;
  }
}

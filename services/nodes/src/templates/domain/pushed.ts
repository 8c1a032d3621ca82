import type { Config, Settings, StoredNode } from '../../domain/classes/node.ts';
import { coveredBy } from '../../domain/classes/overrides.ts';

/**
 * Values of a template's node at the moment when their override was set, by attribute as stored: instances of an older
 * revision are to have them still, as if every change had reached them at once (docs/reference/templates.md#changes-of-a-template).
 */
export type Pushed = Readonly<Record<string, { readonly revision: number; readonly value?: unknown }>>;

type Templated = Pick<Settings, 'config' | 'seriesKey'>;

const overridesOf = ({ config }: Pick<Settings, 'config'>): readonly string[] => (config.overrides as string[]) ?? [];
const covered = (node: Pick<Settings, 'config'>): string[] => overridesOf(node).flatMap(coveredBy);

/**
 * Returns the configuration after a change of `overrides`, with what instances that are behind need to know.
 * @param revision that the template has with this change
 */
export function withPushed(before: Templated, after: Pick<Settings, 'config'>, revision: number): Config {
  const { pushed: _pushed, ...config } = after.config;
  const known = (before.config.pushed ?? {}) as Pushed;
  const already = new Set(covered(before));
  const entries = covered(after).flatMap((name) => {
    if (already.has(name)) return known[name] ? [[name, known[name]] as const] : [];
    return [[name, { revision, value: name === 'series' ? before.seriesKey : before.config[name] }] as const];
  });
  return (entries.length === 0 ? config : { ...config, pushed: Object.fromEntries(entries) }) as Config;
}

/** Returns a template's node as an instance is to follow it that has followed an older revision so far. */
export function asSeenFrom(node: StoredNode, revision: number): StoredNode {
  const entries = Object.entries((node.config.pushed ?? {}) as Pushed).filter(([, push]) => revision < push.revision);
  if (entries.length === 0) return node;
  const config: Record<string, unknown> = { ...node.config };
  let { seriesKey } = node;
  for (const [name, { value }] of entries) {
    if (name === 'series') seriesKey = (value ?? null) as string | null;
    else if (value === undefined) delete config[name];
    else config[name] = value;
  }
  const names = new Set(entries.map(([name]) => name));
  config.overrides = overridesOf(node).filter((override) => !coveredBy(override).some((name) => names.has(name)));
  return { ...node, seriesKey, config: config as Config };
}

import { nameKey } from '../../domain/body/names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type Config, type StoredNode, statesOf, transportOf } from '../../domain/classes/node.ts';
import { mapReferences } from '../../domain/classes/references.ts';
import { cloneTransport } from '../../domain/classes/transport.ts';

/** Turns a reference of a copied node into the copy of its target, the target itself, another node of the same place, or nothing. */
export type Relink = (reference: string) => { readonly nodeId: string; readonly isBroken: boolean };

export type CloneDeps = {
  readonly relink: Relink;
  /** Program text with the references that it holds. */
  readonly relinkCode: (code: string) => string;
  /** Gives the id of a copy's state by that of the original's. */
  readonly stateId: (stateId: string) => string;
  readonly newPushKey: () => string;
  /** Draws a name for a station; absent: for a template, whose sources have none. */
  readonly newStation?: (() => string) | undefined;
};

/** Returns the configuration of a node's copy (docs/reference/node-tree.md#clone): without what belongs to the original alone. */
export function cloneConfig(node: StoredNode, deps: CloneDeps): Config {
  const cls = nodeClass(node.class);
  // The copy is not public, is enabled from its creation on, and has no instances.
  const { isPublic: _isPublic, enabledMs: _enabledMs, pushed: _pushed, states, transport, ...rest } = node.config;
  const config: Record<string, unknown> = mapReferences(cls, rest, (reference, rule) => {
    const { nodeId, isBroken } = deps.relink(reference);
    return isBroken && rule.dropBroken ? undefined : nodeId;
  });
  if (states) config.states = statesOf({ states }).states.map((state) => ({ ...state, _id: deps.stateId(state._id) }));
  if (transport) {
    const copy = cloneTransport(transportOf({ transport }), deps.newPushKey, deps.newStation);
    config.transport = copy.transport;
    if (copy.needsDevice) config.isEnabled = false;
  }
  if (Array.isArray(config.files)) config.files = config.files.map(withoutPointer);
  delete config.acquireTime;
  const program = config.process as { code?: unknown } | undefined;
  if (typeof program?.code === 'string') config.process = { ...program, code: deps.relinkCode(program.code) };
  if (typeof config.sharedCode === 'string') config.sharedCode = deps.relinkCode(config.sharedCode);
  return config as Config;
}

/** Collection pointers belong to the original. */
const withoutPointer = ({ acquireTime: _acquireTime, ...file }: Record<string, unknown>) => file;

/** Lays the metadata of a body over those of the original, by name (docs/reference/node-tree.md#clone). */
export function mergeMetadata(
  metadata: readonly { name: string; value: unknown }[],
  given: readonly { name: string; value: unknown }[],
): { name: string; value: unknown }[] {
  const merged = new Map(metadata.map((entry) => [entry.name, entry]));
  for (const entry of given) merged.set(entry.name, entry);
  return [...merged.values()];
}

const BRACED = /\{(@[^{}\s]{1,255}|[0-9a-fA-F]{24})\}/g;
/** An absolute path between quotes, to its end or to its aggregate. */
const ABSOLUTE = /(["'`])(\/[^"'`;\n]{1,2000})(?=["'`;])/g;

const normalised = (reference: string): string => (reference.startsWith('@') ? reference : reference.toLowerCase());

/**
 * Returns nodes that a program names other than by a relative path: ids, `@customId`, and absolute paths without the slash at their end.
 */
export const namedIn = (code: string): { readonly references: string[]; readonly paths: string[] } => ({
  references: [...code.matchAll(BRACED)].map(([, reference = '']) => normalised(reference)),
  paths: [...code.matchAll(ABSOLUTE)].map(([, , path = '']) => path),
});

/**
 * Program text of a copy: `{id}`, `{@customId}` and absolute paths are replaced by what stands for them
 * (docs/reference/processing-and-ratings.md#paths). Relative paths hold as they are.
 */
export const relinkCode = (
  code: string,
  nodeFor: (reference: string) => string | undefined,
  pathFor: (path: string) => string | undefined,
): string =>
  code
    .replaceAll(BRACED, (whole, reference: string) => {
      const nodeId = nodeFor(normalised(reference));
      return nodeId === undefined ? whole : `{${nodeId}}`;
    })
    .replaceAll(ABSOLUTE, (_whole, quote: string, path: string) => quote + (pathFor(path) ?? path));

/**
 * Returns where a path into a branch leads in its copy; undefined for paths to elsewhere. Names are compared as those
 * of siblings are.
 */
export function pathInCopy(path: string, from: readonly string[], to: readonly string[]): string | undefined {
  const elements = path.slice(1).split('/');
  const isInside = from.every((name, i) => nameKey(elements[i] ?? '') === nameKey(name));
  return isInside ? `/${[...to, ...elements.slice(from.length)].join('/')}` : undefined;
}

/** A place relative to a root lies this many levels above its parent, then down by names. */
type RelativePath = { readonly up: number; readonly down: readonly string[] };

type Step = { readonly nodeId: string; readonly name: string };

/**
 * Returns where a target lies seen from the parent of a branch's root; undefined in another workspace.
 * @param parentLine from the workspace down to the parent of the root
 * @param targetLine from the workspace down to the target
 */
export function relativePath(parentLine: readonly Step[], targetLine: readonly Step[]): RelativePath | undefined {
  let common = 0;
  while (common < parentLine.length && parentLine[common]?.nodeId === targetLine[common]?.nodeId) common += 1;
  if (common === 0) return undefined;
  return {
    up: parentLine.length - common,
    down: targetLine.slice(common).map(({ name }) => nameKey(name)),
  };
}

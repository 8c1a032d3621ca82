import { nameKey } from '../../domain/body/names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type Config, type StoredNode, statesOf, transportOf } from '../../domain/classes/node.ts';
import { mapReferences } from '../../domain/classes/references.ts';
import { cloneTransport } from '../../domain/classes/transport.ts';

/** A reference of a copied node: the copy of its target, the target itself, another node of the same place, or nothing. */
export type Relink = (reference: string) => { readonly nodeId: string; readonly isBroken: boolean };

export type CloneDeps = {
  readonly relink: Relink;
  /** Program text with the references that it holds. */
  readonly relinkCode: (code: string) => string;
  /** Id of a copy's state, by that of the original's. */
  readonly stateId: (stateId: string) => string;
  readonly newPushKey: () => string;
};

/** The configuration of a node's copy (docs/reference/node-tree.md#clone): without what belongs to the original alone. */
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
    const copy = cloneTransport(transportOf({ transport }), deps.newPushKey);
    config.transport = copy.transport;
    if (copy.needsDevice) config.isEnabled = false;
  }
  if (Array.isArray(config.files)) config.files = config.files.map(withoutPointer);
  const program = config.process as { code?: unknown } | undefined;
  if (typeof program?.code === 'string') config.process = { ...program, code: deps.relinkCode(program.code) };
  if (typeof config.sharedCode === 'string') config.sharedCode = deps.relinkCode(config.sharedCode);
  return config as Config;
}

/** The collection pointers of files belong to the original. */
const withoutPointer = ({ acquireTime: _acquireTime, ...file }: Record<string, unknown>) => file;

/** Metadata of a body over those of the original, by name (docs/reference/node-tree.md#clone). */
export function mergeMetadata(
  own: readonly { name: string; value: unknown }[],
  given: readonly { name: string; value: unknown }[],
): { name: string; value: unknown }[] {
  const merged = new Map(own.map((one) => [one.name, one]));
  for (const one of given) merged.set(one.name, one);
  return [...merged.values()];
}

/**
 * Program text of a copy: `{id}` and `{@customId}` of copied nodes, and absolute paths into the original branch, name the
 * copies (docs/reference/processing-and-ratings.md#program-language). Relative paths hold as they are.
 * @param paths of the original root and of its copy, from the workspace on: `/Site/Station`
 */
export function relinkCode(
  code: string,
  copyOf: (reference: string) => string | undefined,
  paths: { readonly from: string; readonly to: string },
): string {
  const linked = code.replaceAll(/\{(@[^{}\s]{1,255}|[0-9a-fA-F]{24})\}/g, (whole, reference: string) => {
    const copy = copyOf(reference.startsWith('@') ? reference : reference.toLowerCase());
    return copy === undefined ? whole : `{${copy}}`;
  });
  return linked.replaceAll(
    new RegExp(`(["'\`])${RegExp.escape(paths.from)}(?=["'\`/;])`, 'g'),
    (_whole, quote: string) => quote + paths.to,
  );
}

/** A place relative to a root: so many levels above its parent, then down by names. */
export type RelativePath = { readonly up: number; readonly down: readonly string[] };

type Step = { readonly nodeId: string; readonly name: string };

/**
 * Where a target lies seen from the parent of a branch's root; undefined in another workspace.
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

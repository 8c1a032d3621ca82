import { createHash } from 'node:crypto';
import { type CloneDeps, cloneConfig, mergeMetadata } from '../../copies/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type Config, isEnabled, type StoredNode, transportOf } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { coveredBy } from '../../domain/classes/overrides.ts';
import { instanceTransport, lacksDevice } from '../../domain/classes/transport.ts';

export type MetadataEntry = { readonly name: string; readonly value: unknown };

type InstanceConfigDeps = Pick<CloneDeps, 'relink' | 'relinkCode' | 'newPushKey'> & {
  /** The configuration is for this node of the instance. */
  readonly nodeId: string;
  /** Root only: what the instance was made with, over the template's by name. */
  readonly metadata?: readonly MetadataEntry[];
  readonly nowMs: number;
};

/** Returns attributes of a template's node that its instances may have of their own, as they are stored. */
export const overriddenIn = (template: Pick<StoredNode, 'config'>): ReadonlySet<string> =>
  new Set(((template.config.overrides as string[] | undefined) ?? []).flatMap(coveredBy));

/**
 * Returns the configuration of a node that follows a template's (docs/reference/templates.md#changes-of-a-template): the template's
 * with its references inside the instance, and with the instance's own parts: overridden attributes, publication, push key
 * and device, how far files have been collected. The same template and instance always give the same.
 * @param current the node as it is; absent while it is made
 */
export function instanceConfig(template: StoredNode, current: Config | undefined, deps: InstanceConfigDeps): Config {
  const overridden = overriddenIn(template);
  const copy: Record<string, unknown> = {
    ...cloneConfig(template, {
      ...deps,
      stateId: (stateId) => derivedId(deps.nodeId, stateId),
      newPushKey: () => transportOf(current ?? {}).key ?? deps.newPushKey(),
      newStation: deps.newPushKey,
    }),
  };
  delete copy.overrides;
  if (deps.metadata && deps.metadata.length > 0)
    copy.metadata = mergeMetadata((copy.metadata ?? []) as MetadataEntry[], deps.metadata);
  if (current) {
    if (copy.transport) copy.transport = instanceTransport(transportOf(copy as Config), transportOf(current));
    if (Array.isArray(copy.files)) copy.files = withPointers(copy.files, current.files);
    for (const name of [...overridden, 'isPublic', 'enabledMs']) {
      if (current[name] === undefined) delete copy[name];
      else copy[name] = current[name];
    }
  }
  return isSource(nodeClass(template.class))
    ? enabling(copy as Config, template, current, deps.nowMs)
    : (copy as Config);
}

/** A source whose transport needs a device is disabled until it has one (docs/reference/node-tree.md#clone). */
function enabling(config: Config, template: StoredNode, current: Config | undefined, nowMs: number): Config {
  const { isEnabled: isEnabledHere, ...rest } = config;
  const isOwn = current !== undefined && overriddenIn(template).has('isEnabled');
  const enabled = isOwn ? isEnabledHere !== false : isEnabled(template.config) && !lacksDevice(transportOf(config));
  const isEnabledNow = current !== undefined && !isEnabled(current) && enabled;
  return { ...rest, ...(!enabled && { isEnabled: false }), ...(isEnabledNow && { enabledMs: nowMs }) } as Config;
}

type File = Record<string, unknown>;

/** The collection pointers of files belong to the instance. */
function withPointers(files: readonly File[], current: unknown): File[] {
  const before = new Map((Array.isArray(current) ? (current as File[]) : []).map((file) => [file._id, file]));
  return files.map((file) => {
    const acquireTime = before.get(file._id)?.acquireTime;
    return acquireTime === undefined ? file : { ...file, acquireTime };
  });
}

/** Makes a deterministic id: a state of an instance keeps it. */
const derivedId = (nodeId: string, stateId: string): string =>
  createHash('sha256').update(`${nodeId} ${stateId}`).digest('hex').slice(0, 24);

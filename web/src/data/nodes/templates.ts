import { call, nodePath } from '../requests/call.ts';
import { client } from '../requests/client.ts';
import { namesOf } from '../sources/sources.ts';
import { ancestorsOf } from './ancestors.ts';
import { createNode, literal } from './changes.ts';
import { fullClass } from './classes.ts';
import { type Node, updateNode } from './nodes.ts';
import { comparable, isSameValue, overrideOf, returned, type Values } from './template-values.ts';

/** More instances are not shown; it is said that there are more. */
export const MOST_INSTANCES = 10_000;
const MOST_NODES = 20_000;
/** A query of an address has an end (docs/reference/limits.md). */
const AT_ONCE = 60;

type TemplateNode = Values & {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly parentId: string;
  readonly overrides?: readonly string[];
  readonly permissions?: readonly string[];
};
export type Template = {
  readonly root: TemplateNode;
  /** The nodes include the root. */
  readonly nodes: readonly TemplateNode[];
  readonly instances: readonly Instance[];
};
export type Instance = {
  readonly _id: string;
  readonly name: string;
  readonly templateId: string;
  readonly parentId: string;
  readonly workspaceId: string;
  /** The node lies in nodes of these names. */
  readonly place: string;
  readonly permissions?: readonly string[];
};
export type Templates = {
  /** Templates lie here; absent where there are none yet, or none to be seen. */
  readonly rootId?: string;
  readonly mayMake: readonly string[] | undefined;
  readonly list: readonly Template[];
  readonly hasMore: boolean;
};

async function all<T>(filter: string, attr: string, limit: number, stop: AbortSignal): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const node of client.nodes.list({ filter, attr, limit })) {
    stop.throwIfAborted();
    found.push(node as T);
  }
  return found;
}

/** Reads all templates that the person may see, each with its nodes and its instances. */
export async function readTemplates(stop: AbortSignal): Promise<Templates> {
  type Root = { readonly _id: string; readonly permissions?: readonly string[] };
  const [root] = await all<Root>(`_class($eq:${fullClass('Templates')})`, '_id,permissions', 1, stop);
  if (!root) return { mayMake: undefined, list: [], hasMore: false };
  const attr = '_id,_class,name,parentId,overrides,permissions';
  const nodes = await all<TemplateNode>(`workspaceId($eq:${root._id})`, attr, MOST_NODES, stop);
  type Listed = Omit<Instance, 'place'>;
  const ofInstances = '_id,name,templateId,parentId,workspaceId,permissions';
  const listed = await all<Listed>('templateId($ne:null)', ofInstances, MOST_INSTANCES + 1, stop);
  const held = listed.slice(0, MOST_INSTANCES);
  const names = await namesOf(new Set(held.flatMap(({ parentId, workspaceId }) => [parentId, workspaceId])), stop);
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const instances = Map.groupBy(
    held.map((instance) => ({
      ...instance,
      place: [...new Set([instance.workspaceId, instance.parentId])].flatMap((id) => names.get(id) ?? []).join(' / '),
    })),
    ({ templateId }) => templateId,
  );
  const list = (children.get(root._id) ?? []).map((child): Template => {
    const nodes = [child];
    for (const node of nodes) nodes.push(...(children.get(node._id) ?? []));
    return { root: child, nodes, instances: instances.get(child._id) ?? [] };
  });
  return { rootId: root._id, mayMake: root.permissions, list, hasMore: listed.length > MOST_INSTANCES };
}

/** Creates an empty template; where templates lie is made with the first. */
export async function createTemplate(
  kind: 'Location' | 'Group',
  name: string,
  rootId: string | undefined,
): Promise<Node> {
  const parentId = rootId ?? (await createNode({ _class: fullClass('Templates') }))._id;
  return createNode({ _class: fullClass(kind === 'Location' ? 'location.Location' : 'Group'), parentId, name });
}

/** It becomes ordinary nodes, with what they have. */
export const unlinkInstance = (id: string): Promise<unknown> => call('POST', `${nodePath(id)}/unlink`);

/** An instance has an attribute otherwise than its template. */
export type OwnValue = {
  readonly nodeId: string;
  readonly name: string;
  readonly attribute: string;
  readonly own: unknown;
  readonly template: unknown;
  readonly revision: number | undefined;
  /** This body gives it back. */
  readonly back: Values;
  /** This body takes that back. */
  readonly before: Values;
};

/** Lists the values of an instance that differ from its template, of the attributes that its template's nodes list in `overrides`. */
export async function ownValues(
  template: Template,
  instance: Instance,
  stop: AbortSignal,
): Promise<readonly OwnValue[]> {
  const open = template.nodes.filter(({ overrides = [] }) => overrides.length > 0);
  if (open.length === 0) return [];
  const names = [...new Set(open.flatMap(({ overrides = [] }) => overrides))];
  const extra = names.includes('states') ? ['statesType', 'hysteresis'] : [];
  const attr = ['_id', 'name', 'templateNodeId', 'revision', ...names, ...extra].join();
  const above = await ancestorsOf(instance.parentId, stop);
  const path = [...above.map(({ name }) => name), instance.name].join('/');
  type Read = Values & {
    readonly _id: string;
    readonly name: string;
    readonly templateNodeId?: string;
    readonly revision?: number;
  };
  const [inside, root, originals] = await Promise.all([
    all<Read>(`path($like:/${literal(path)}/*)`, attr, MOST_NODES, stop),
    all<Read>(`_id($eq:${instance._id})`, attr, 1, stop),
    all<Read>(
      open.length <= AT_ONCE
        ? open.map(({ _id }) => `_id($eq:${_id})`).join('|')
        : `workspaceId($eq:${template.root.parentId})`,
      attr,
      MOST_NODES,
      stop,
    ),
  ]);
  const byTemplate = new Map([...root, ...inside].map((instance) => [instance.templateNodeId ?? '', instance]));
  const following = new Map([...byTemplate].map(([id, { _id }]) => [id, _id]));
  const original = new Map(originals.map((original) => [original._id, original]));
  return open.flatMap(({ _id, overrides = [] }) => {
    const [its, instanceNode] = [original.get(_id), byTemplate.get(_id)];
    if (!its || !instanceNode) return [];
    return overrides.flatMap((attribute): OwnValue[] => {
      const covered = [attribute, ...extra.filter((other) => overrideOf(other) === attribute)];
      const isOwn = covered.some(
        (name) => !isSameValue(comparable(name, instanceNode[name]), comparable(name, its[name], following)),
      );
      if (!isOwn) return [];
      const back = Object.fromEntries(covered.map((name) => [name, returned(name, its[name], following)]));
      const { revision } = instanceNode;
      return [
        {
          nodeId: instanceNode._id,
          name: instanceNode.name,
          attribute,
          own: instanceNode[attribute],
          template: its[attribute],
          revision,
          back,
          before: Object.fromEntries(covered.map((name) => [name, returned(name, instanceNode[name], new Map())])),
        },
      ];
    });
  });
}

/** An attribute of an instance is the template's again, unless somebody else has changed the node meanwhile. */
export const giveBack = ({ nodeId, back, revision }: OwnValue): Promise<Node> => updateNode(nodeId, back, revision);

/** About this many characters of values are read at most. */
const MOST_CHARACTERS = 20_000_000;
const FEWEST = 100;

/** Reads some attributes of nodes that follow one of a template: of the first nodes, and of fewer where values are long, such as code. */
export async function nodesFollowing(
  template: Values & { readonly _id: string },
  names: readonly string[],
  stop: AbortSignal,
): Promise<{ readonly nodes: readonly Values[]; readonly hasMore: boolean }> {
  const length = names.reduce((sum, name) => sum + (JSON.stringify(template[name])?.length ?? 0), FEWEST);
  const most = Math.max(FEWEST, Math.min(MOST_INSTANCES, Math.floor(MOST_CHARACTERS / length)));
  const attr = [...new Set(['_id', ...names])].join();
  const found = await all<Values>(`templateNodeId($eq:${template._id})`, attr, most + 1, stop);
  return { nodes: found.slice(0, most), hasMore: found.length > most };
}

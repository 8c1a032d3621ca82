import { call, nodePath } from '../requests/call.ts';
import { client } from '../requests/client.ts';
import type { Node } from './nodes.ts';

/** A change has broken this elsewhere. */
type Warning = { readonly nodeId: string; readonly path: string; readonly message: string };
type Changed = Node & { readonly warnings?: readonly Warning[] };

export const createNode = (attributes: Readonly<Record<string, unknown>>): Promise<Node> =>
  call<Node>('POST', '/nodes', { body: attributes });

/** Gives another name; with the revision that was seen, somebody else's change is not overwritten. */
export const renameNode = (id: string, name: string, revision?: number): Promise<Changed> =>
  call<Changed>('PUT', nodePath(id), { body: { name }, ...(revision !== undefined && { ifMatch: revision }) });

export const moveNode = (id: string, parentId: string): Promise<Changed> =>
  call<Changed>('PUT', `${nodePath(id)}/parent`, { body: { parentId } });

export async function cloneNode(id: string, parentId: string | undefined, name: string): Promise<Node | undefined> {
  const made = await call<readonly Node[]>('POST', `${nodePath(id)}/clone`, {
    query: { attr: '_id,_class,name' },
    body: { ...(parentId !== undefined && { parentId }), name },
  });
  return made[0];
}

export const deleteNode = (id: string): Promise<unknown> => call('DELETE', nodePath(id));

/** These nodes lie below a node, and those elsewhere show it; they are named before it is moved or deleted. */
export type Extent = {
  /** Counts the nodes of each class below. */
  readonly below: ReadonlyMap<string, number>;
  readonly count: number;
  /** Dashboards, reports and charts outside of the branch show something of it. */
  readonly shownBy: readonly { readonly _id: string; readonly name: string; readonly _class: string }[];
};

/** Branches of one request: its address has an end. */
const BRANCHES_AT_ONCE = 10;

/** Escapes signs that have a meaning in filters. */
export const literal = (text: string): string => text.replace(/[\\(),|*]/g, (sign) => `\\${sign}`);

/** @param branches of which none lies in another; their paths are names from the Workspace down, parted by `/` */
export async function extentOf(
  branches: readonly { readonly id: string; readonly path: string }[],
  signal: AbortSignal,
): Promise<Extent> {
  const inside = new Set(branches.map(({ id }) => id));
  const below = new Map<string, number>();
  for (let from = 0; from < branches.length; from += BRANCHES_AT_ONCE) {
    const some = branches.slice(from, from + BRANCHES_AT_ONCE);
    const filter = some.map(({ path }) => `path($like:/${literal(path)}/*)`).join('|');
    for await (const { _id, _class } of client.nodes.list({ filter, attr: '_id,_class' })) {
      signal.throwIfAborted();
      inside.add(_id as string);
      below.set(_class as string, (below.get(_class as string) ?? 0) + 1);
    }
  }
  return { below, count: inside.size - branches.length, shownBy: await whatShows(inside, signal) };
}

type Linking = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly links?: readonly { readonly nodeId?: string }[];
  readonly tiles?: readonly { readonly links?: readonly { readonly nodeId?: string }[] }[];
};

async function whatShows(inside: ReadonlySet<string>, signal: AbortSignal): Promise<Extent['shownBy']> {
  const shownBy: Linking[] = [];
  const filter = ['models.node.Dashboard', 'models.node.Report', 'models.node.chart.']
    .map((name) => `_class($match:${name})`)
    .join('|');
  for await (const node of client.nodes.list({ filter, attr: '_id,_class,name,links,tiles.links' })) {
    signal.throwIfAborted();
    const { _id, links = [], tiles = [] } = node as unknown as Linking;
    const all = [...links, ...tiles.flatMap((tile) => tile.links ?? [])];
    if (!inside.has(_id) && all.some(({ nodeId }) => nodeId !== undefined && inside.has(nodeId)))
      shownBy.push(node as unknown as Linking);
  }
  return shownBy;
}

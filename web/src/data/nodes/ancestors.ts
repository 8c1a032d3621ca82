import { client } from '../requests/client.ts';
import type { NodeNews } from '../streams/live.ts';

export type Ancestor = { readonly _id: string; readonly name: string; readonly parentId?: string };

/** Nodes lie no deeper (docs/reference/node-tree.md). */
const DEEPEST = 30;
const known = new Map<string, Ancestor>();
const MOST = 500;

/** Reads the nodes above one, from the Workspace down; those that may not be seen are left out with all above them. */
export async function ancestorsOf(parentId: string | undefined, signal: AbortSignal): Promise<readonly Ancestor[]> {
  const all: Ancestor[] = [];
  for (let id = parentId; id !== undefined && all.length < DEEPEST; ) {
    signal.throwIfAborted();
    const found: Ancestor | undefined = known.get(id) ?? (await read(id));
    if (found === undefined) break;
    all.unshift(found);
    id = found.parentId;
  }
  return all;
}

/** Returns whether a node above was renamed, moved or taken away; the path is read anew then. */
export function isOtherPath(path: readonly Ancestor[], news: NodeNews): boolean {
  if (news.kind === 'reset') {
    known.clear();
    return true;
  }
  const id = news.kind === 'node' ? news.node._id : news.id;
  const before = path.find(({ _id }) => _id === id);
  if (before === undefined) return false;
  if (news.kind === 'node' && before.name === news.node.name && before.parentId === news.node.parentId) return false;
  known.delete(id);
  return true;
}

/** Names change seldom: after a while they are read again. */
const KEPT_MS = 60_000;

async function read(id: string): Promise<Ancestor | undefined> {
  try {
    const node = (await client.nodes.get(id, { attr: '_id,name,parentId' })) as Ancestor;
    known.set(id, node);
    setTimeout(() => known.delete(id), KEPT_MS);
    if (known.size > MOST) known.delete(known.keys().next().value!);
    return node;
  } catch {
    return undefined;
  }
}

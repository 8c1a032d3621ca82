import { ancestorsOf } from '../../data/nodes/ancestors.ts';
import { client } from '../../data/requests/client.ts';
import type { Parent } from './draft.ts';

/** Reads what a node is as the parent of a new one. */
export async function parentOf(id: string): Promise<Parent> {
  const node = (await client.nodes.get(id, {
    attr: '_id,_class,name,workspaceId,parentId,permissions',
  })) as unknown as {
    readonly _id: string;
    readonly _class: string;
    readonly name: string;
    readonly workspaceId?: string;
    readonly parentId?: string;
    readonly permissions?: readonly string[];
  };
  const isLocation = /\.Location$/.test(node._class);
  const above = /\.Group$/.test(node._class)
    ? ((await ancestorsOf(node.parentId, new AbortController().signal)) as readonly { _class?: string; _id: string }[])
    : [];
  const isInPlace = await anyLocation(above.map(({ _id }) => _id));
  return {
    _id: node._id,
    _class: node._class,
    name: node.name,
    workspaceId: node.workspaceId ?? node._id,
    isPlace: isLocation || isInPlace,
    ...(node.permissions && { permissions: node.permissions }),
  };
}

/** A folder within a place is the place's. */
async function anyLocation(ids: readonly string[]): Promise<boolean> {
  for (const id of ids) {
    const { _class } = (await client.nodes.get(id, { attr: '_class' })) as unknown as { _class: string };
    if (/\.Location$/.test(_class)) return true;
  }
  return false;
}

import type { Api } from '../api.ts';

type Webhook = Readonly<Record<'_id' | 'name' | 'url' | 'filter' | 'enabled', unknown>>;

/**
 * Reads all that an account holds, as its own key of level ACCOUNT reads it: owner, people, keys, nodes with all attributes, tree, access,
 * records, events, devices. Two dumps are equal when nothing has changed.
 * @param isConcerned which nodes, by their workspace, and what concerns them
 */
export async function dumpOf(api: Api, isConcerned: (workspaceId: string | undefined) => boolean): Promise<object> {
  const read = async (path: string) => {
    const answer = await api.get(path);
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`);
    return answer.json;
  };
  type Node = { _id: string; _class: string; workspaceId?: string };
  const nodes = ((await read('/nodes')) as Node[]).filter(({ _id, _class, workspaceId }) =>
    isConcerned(_class.endsWith('.Workspace') ? _id : workspaceId),
  );
  const tree = ((await read('/nodes?type=TREE')) as Node[]).filter(({ _id }) => isConcerned(_id));
  const ofWorkspace = (list: { workspaceId?: string }[]) => list.filter((item) => isConcerned(item.workspaceId));
  const perNode: Record<string, object> = {};
  for (const { _id, _class } of nodes) {
    const isWorkspace = _class.endsWith('.Workspace');
    const hasSubscribers = /\.(point|location|source)\./.test(_class);
    perNode[_id] = {
      ...(hasSubscribers && { subscribers: await read(`/nodes/${_id}/notifications`) }),
      ...(isWorkspace && { access: await read(`/nodes/${_id}/security`) }),
      ...(isWorkspace && { preferences: await read(`/nodes/${_id}/notifications?subscribeType=ALL`) }),
    };
  }
  const series = nodes.filter(({ _class }) => /\.(point|location)\./.test(_class)).map(({ _id }) => _id);
  return {
    records: await read(`/historic?params=${series.join()}&limit=10000&renderFormat=`),
    owner: await read('/owners/account'),
    categories: await read('/owners/account/categories'),
    roles: await read('/owners/account/roles'),
    keys: (await read('/owners/account/apikeys')).map(({ lastUsedTime: _, ...key }: { lastUsedTime?: string }) => key),
    // The results of its tries are no change by anybody.
    webhooks: (await read('/owners/account/webhooks')).map(({ _id, name, url, filter, enabled }: Webhook) => {
      return { _id, name, url, filter, enabled };
    }),
    exports: (await read('/exports')).map(({ _id }: { _id: string }) => _id),
    usage: await read('/owners/account/usage'),
    profile: await read('/users/me'),
    nodes,
    tree,
    perNode,
    events: ofWorkspace(await read('/events?limit=10000')),
    devices: ofWorkspace(await read('/devices')),
  };
}

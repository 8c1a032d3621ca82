import type { Installation } from './installation.ts';

/** Sends a request with the installation's key; returns the JSON. @throws Error for any other answer than 2xx */
export type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>;

export function apiOf({ url, key }: Installation): Api {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as never;
  };
}

/** Makes a parameter in a new workspace. */
export async function makeParameter(api: Api, name: string): Promise<{ workspaceId: string; parameterId: string }> {
  const ids: string[] = [];
  for (const cls of ['Workspace', 'location.Location', 'source.data.Jts', 'point.NumberPoint']) {
    const body = { _class: `io.svc.models.node.${cls}`, name, ...(ids.length > 0 && { parentId: ids.at(-1) }) };
    ids.push((await api<{ _id: string }>('POST', '/nodes', body))._id);
  }
  return { workspaceId: ids.at(0) ?? '', parameterId: ids.at(-1) ?? '' };
}

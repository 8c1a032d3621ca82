import { call } from '../../data/requests/call.ts';
import { type Asked, useAsked } from '../../data/requests/use-asked.ts';
import { isAdministrator, may, type Right } from '../../data/session/rights.ts';

export type Workspace = { readonly _id: string; readonly name: string; readonly permissions?: readonly string[] };
const MOST = 5_000;

/** Reads Workspaces that the person may see, with what may be done there. */
export const useWorkspaces = (): Asked<readonly Workspace[]> =>
  useAsked(
    (signal) =>
      call<readonly Workspace[]>('GET', '/nodes', {
        query: { attr: '_id,name,permissions', filter: '_class($match:node.Workspace)', sort: 'name', limit: MOST },
        signal,
      }),
    [],
  );

/** Rights over a device are those in its Workspace; over one without, only administrators have some. */
export function mayIn(right: Right, all: readonly Workspace[] | undefined, workspaceId: string | undefined): boolean {
  const workspace = all?.find(({ _id }) => _id === workspaceId);
  return workspace ? may(right, workspace) : isAdministrator();
}

import { Api, unique } from '../api.ts';
import { createSite, type FirstAccount, type Site } from './first-account.ts';

export type Intruder = {
  readonly name: string;
  readonly api: Api;
  /** A request that needs an object which the caller may change takes one of these. */
  readonly own: Site;
  readonly mayModify: boolean;
  readonly isAccountLevel: boolean;
  /**
   * stranger: of another account, sees nothing of the first. limited: of the first account, sees its side workspace only.
   * reader: of the first account, sees all nodes and changes nothing.
   */
  readonly kind: 'stranger' | 'limited' | 'reader';
  /** A hidden node of the first account answers with this, where the key has the permission at all. */
  readonly hiddenStatus: number;
};

type Level = 'ACCOUNT' | 'WORKSPACES' | 'LIMITED_WORKSPACES';
type Row = {
  readonly name: string;
  /** The key is one of the first account, of the second, or of one that the first manages. */
  readonly of: 'first' | 'second' | 'managed';
  readonly level: Level;
  readonly permission: 'MODIFY' | 'READ_ONLY';
  /** True for limited keys that have a workspace at all. */
  readonly withWorkspace?: boolean;
  /** A workspace user has this role in the side workspace, and this key. */
  readonly role?: string;
};

/** No such key may get at the first account. A new sort of key is a new line. */
const ROWS: readonly Row[] = [
  { name: 'administration key of a second account', of: 'second', level: 'ACCOUNT', permission: 'MODIFY' },
  { name: 'READ_ONLY key of a second account', of: 'second', level: 'ACCOUNT', permission: 'READ_ONLY' },
  { name: 'all workspaces of a second account', of: 'second', level: 'WORKSPACES', permission: 'MODIFY' },
  {
    name: 'limited key of a second account',
    of: 'second',
    level: 'LIMITED_WORKSPACES',
    permission: 'MODIFY',
    withWorkspace: true,
  },
  {
    name: 'limited READ_ONLY key of a second account',
    of: 'second',
    level: 'LIMITED_WORKSPACES',
    permission: 'READ_ONLY',
    withWorkspace: true,
  },
  { name: 'key of a managed account', of: 'managed', level: 'ACCOUNT', permission: 'MODIFY' },
  {
    name: 'own key limited to another workspace',
    of: 'first',
    level: 'LIMITED_WORKSPACES',
    permission: 'MODIFY',
    withWorkspace: true,
  },
  {
    name: 'own READ_ONLY key limited to another workspace',
    of: 'first',
    level: 'LIMITED_WORKSPACES',
    permission: 'READ_ONLY',
    withWorkspace: true,
  },
  { name: 'own key limited to no workspace', of: 'first', level: 'LIMITED_WORKSPACES', permission: 'MODIFY' },
  { name: 'own READ_ONLY key for all workspaces', of: 'first', level: 'WORKSPACES', permission: 'READ_ONLY' },
  { name: 'own READ_ONLY key for the account', of: 'first', level: 'ACCOUNT', permission: 'READ_ONLY' },
  ...['Manage', 'Configure', 'Operate', 'View'].flatMap((role) => [
    userRow(`workspace user with the role ${role}`, 'first', role),
    userRow(`workspace user of a second account with the role ${role}`, 'second', role),
  ]),
  {
    name: 'workspace user with a key limited to a workspace of others',
    of: 'first',
    level: 'LIMITED_WORKSPACES',
    permission: 'MODIFY',
    role: 'Manage',
  },
];

function userRow(name: string, of: Row['of'], role: string): Row {
  return { name, of, level: 'WORKSPACES', permission: 'MODIFY', role };
}

/** Makes the keys of the table. @param managed key of an account that the first one manages */
export async function createIntruders(first: FirstAccount, second: Api, managed: Api): Promise<readonly Intruder[]> {
  const own = {
    first: first.side,
    second: await createSite(second, unique('of the second')),
    managed: await createSite(managed, unique('of the managed')),
  };
  const apis = { first: first.api, second, managed };
  return Promise.all(
    ROWS.map(async (row) => {
      const isUser = row.role !== undefined;
      const limits = isUser ? [first.site.workspace] : row.withWorkspace ? [own[row.of].workspace] : [];
      const key = await createKey(apis[row.of], {
        label: row.name,
        permission: row.permission,
        accessLevel: row.level,
        ...(row.level === 'LIMITED_WORKSPACES' && { workspaceIds: limits }),
        ...(row.role !== undefined && { user: await createUser(apis[row.of], own[row.of].workspace, row.role) }),
      });
      const isLimited = row.level === 'LIMITED_WORKSPACES';
      return {
        name: row.name,
        api: new Api(first.api.url, key),
        own: own[row.of],
        mayModify: row.permission === 'MODIFY',
        isAccountLevel: row.level === 'ACCOUNT',
        kind: row.of === 'first' ? (isLimited || isUser ? 'limited' : 'reader') : 'stranger',
        // A node that a workspace user may not view does not exist for them (docs/reference/people-and-security.md#effective-permissions).
        hiddenStatus: row.of === 'first' && !isUser ? 403 : 404,
      };
    }),
  );
}

/** Creates a person with a role in one workspace, and no other access. @returns the e-mail */
async function createUser(api: Api, workspace: string, role: string): Promise<string> {
  const user = `${unique('user')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}@example.org`;
  const answer = await api.post(`/nodes/${workspace}/security/subscribe`, { users: [{ user, role }] });
  if (answer.status !== 200) throw new Error(`nobody was given access: ${answer.status} ${answer.text}`);
  return user;
}

async function createKey(api: Api, body: object): Promise<string> {
  const answer = await api.post('/owners/account/apikeys', body);
  if (answer.status !== 201) throw new Error(`no key was made: ${answer.status} ${answer.text}`);
  return answer.json.key;
}

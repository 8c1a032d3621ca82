import { call } from '../requests/call.ts';
import { unlessOvertaken } from '../requests/overtaken.ts';
import { changing, type Role, readRoles } from './people.ts';

type RoleBody = Pick<Role, 'name' | 'permissions'>;
const rolePath = (roleId: string): `/${string}` => `/owners/account/roles/${encodeURIComponent(roleId)}`;
export const createRole = (body: RoleBody): Promise<unknown> =>
  changing(call('POST', '/owners/account/roles', { body }));
const roleNow = async (roleId: string): Promise<Role | undefined> =>
  (await readRoles()).find(({ _id }) => _id === roleId);

/** @param base as somebody has begun with it @throws Overtaken */
export const updateRole = ({ _id, revision }: Role, body: Partial<RoleBody>): Promise<unknown> =>
  changing(
    unlessOvertaken(
      () => call('PUT', rolePath(_id), { body, ifMatch: revision }),
      () => roleNow(_id),
      'role',
    ),
  );
/** @throws Overtaken */
export const deleteRole = ({ _id, revision }: Role): Promise<unknown> =>
  changing(
    unlessOvertaken(
      () => call('DELETE', rolePath(_id), { ifMatch: revision }),
      () => roleNow(_id),
      'role',
    ),
  );

import { savePreferences } from '../notifications/index.ts';
import * as entries from './store/pg-entries.ts';
import * as roleStore from './store/pg-roles.ts';
import { securityHandlers as handlersOf } from './transport/security-handlers.ts';
import { expireAccess as expire } from './usecases/expire-access.ts';
import { roles } from './usecases/roles.ts';

export { ACCESS } from './domain/access-body.ts';
export { DEFAULT_ROLES, ROLE, type Role } from './domain/role.ts';
export { insertRoles } from './store/pg-roles.ts';

export const ROLES = roles(roleStore);
export const securityHandlers = handlersOf.bind(undefined, { ...entries, savePreferences });
/** Removes access that has ended. @returns how many entries have been removed */
export const expireAccess = expire.bind(undefined, entries);

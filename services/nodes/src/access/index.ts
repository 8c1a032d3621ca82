import { savePreferences } from '../notifications/index.ts';
import { closeNode, deleteEntries, openNode, saveEntries, takeEnded } from './store/pg-entries.ts';
import { deleteRole, insertRoles, saveRole } from './store/pg-roles.ts';
import { securityHandlers as handlersOf } from './transport/security-handlers.ts';
import { expireAccess as expire } from './usecases/expire-access.ts';
import { roles } from './usecases/roles.ts';

export { ACCESS } from './domain/access-body.ts';
export { DEFAULT_ROLES, ROLE, type Role } from './domain/role.ts';
export { insertRoles } from './store/pg-roles.ts';

const entries = { saveEntries, deleteEntries, closeNode, openNode, takeEnded };

export const ROLES = roles({ insertRoles, saveRole, deleteRole });
export const securityHandlers = handlersOf.bind(undefined, { ...entries, savePreferences });
/** Removes access that has ended. @returns how many entries have been removed */
export const expireAccess = expire.bind(undefined, entries);

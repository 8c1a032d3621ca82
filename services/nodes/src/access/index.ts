export { ACCESS } from './domain/access-body.ts';
export { DEFAULT_ROLES, ROLE } from './domain/role.ts';
export { insertRoles } from './store/pg-roles.ts';
export { securityHandlers } from './transport/security-handlers.ts';
export { expireAccess } from './usecases/expire-access.ts';
export { ROLES } from './usecases/roles.ts';

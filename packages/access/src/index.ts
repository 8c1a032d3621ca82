export {
  type ApiCaller,
  apiCaller,
  type Caller,
  isUnlimited,
  type KeyedRequest,
  serviceCaller,
  type UserRights,
  usernameOf,
} from './caller.ts';
export { checkModify, checkPermission, may, permissionsIn } from './checks.ts';
export { PERMISSIONS, type Permission } from './permission.ts';
export { checkRevision, type RevisionMatch, revisionOf } from './revision.ts';
export { checkWorkspace, type Scope, scopeOf } from './scope.ts';

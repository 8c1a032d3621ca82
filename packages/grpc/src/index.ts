export type { Permission } from '@catchment/permissions';
export { admitted } from './admission.ts';
export {
  type ApiCaller,
  apiCaller,
  type Caller,
  CallerSigner,
  CallerVerifier,
  checkModify,
  checkPermission,
  checkWorkspace,
  isUnlimited,
  may,
  type Scope,
  type ServiceCaller,
  scopeOf,
  serviceCaller,
  type UserRights,
  usernameOf,
} from './caller.ts';
export { MAX_MESSAGE_BYTES } from './channel-options.ts';
export { type CallOptions, createGrpcClient, DEFAULT_TIMEOUT_MS, type GrpcClient } from './client.ts';
export type { CallContext, Handlers } from './handlers.ts';
export { type GrpcServer, GrpcServerBuilder } from './server.ts';

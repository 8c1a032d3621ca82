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
export { type CallContext, type GrpcServer, GrpcServerBuilder, type Handlers } from './server.ts';

export { admitted } from './admission.ts';
export { CallerSigner, CallerVerifier } from './caller-token.ts';
export { MAX_MESSAGE_BYTES } from './channel-options.ts';
export { type CallOptions, createGrpcClient, DEFAULT_TIMEOUT_MS, type GrpcClient } from './client.ts';
export type { CallContext, Handlers } from './handlers.ts';
export { type GrpcServer, GrpcServerBuilder } from './server.ts';

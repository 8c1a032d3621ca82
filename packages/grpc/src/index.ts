export { admitted } from './admission.ts';
export { CallerSigner, CallerVerifier } from './caller-token.ts';
export { MAX_MESSAGE_BYTES } from './channel-options.ts';
export { createGrpcClient, type StreamedCalls } from './client.ts';
export type { CallContext, Handlers } from './handlers.ts';
export { LocalCalls } from './local-calls.ts';
export { type Peer, remotePeer } from './peer.ts';
export { type GrpcServer, GrpcServerBuilder } from './server.ts';
export { type CallOptions, DEFAULT_TIMEOUT_MS, type GrpcClient } from './transport.ts';

import type { ServiceDefinition } from '@grpc/grpc-js';
import { createGrpcClient, type StreamedCalls } from './client.ts';
import type { GrpcClient } from './transport.ts';

/** Such a service can be called, wherever it is. */
export type Peer = {
  /** @param options.streamed methods with one answer that many concurrent requests call: over a wire, small ones share a stream */
  client<Definition extends ServiceDefinition>(
    definition: Definition,
    options?: { streamed?: StreamedCalls<Definition> },
  ): GrpcClient<Definition>;
};

/** A service of another process. `address` is host:port or any gRPC name. */
export const remotePeer = (address: string): Peer => ({
  client: (definition, options) => createGrpcClient(definition, address, options),
});

/** Largest gRPC message, bytes: a historic body of 5 MiB with its envelope, and room for wide node lists in chunks. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Bytes that may be in flight unread, of one call and of all calls of a connection. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
export const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024;

/** The options leave out the library's keepalive; keep-alive.ts says why. */
export const GRPC_CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc-node.flow_control_window': STREAM_WINDOW_BYTES,
} as const;

export const CONNECTION_AGE_MS = 60_000;

/**
 * A client behind one service address has one connection, to one replica. Connections that take no new calls after a minute spread over new
 * replicas; calls on them may finish, a long answer to a slow client (10 minutes) too.
 */
export const grpcServerOptions = (connectionAgeMs: number) => ({
  ...GRPC_CHANNEL_OPTIONS,
  'grpc.max_connection_age_ms': connectionAgeMs,
  'grpc.max_connection_age_grace_ms': 12 * 60_000,
});

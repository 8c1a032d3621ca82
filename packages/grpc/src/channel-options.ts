/** Largest gRPC message, bytes: a historic body of 5 MiB with its envelope, and room for wide node lists in chunks. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** What may be on its way unread, of one call and of all calls of a connection. */
export const STREAM_WINDOW_BYTES = 1024 * 1024;
export const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024;

export const GRPC_CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc-node.flow_control_window': STREAM_WINDOW_BYTES,
  // A peer whose machine is gone says nothing: calls to it must not wait for their deadlines. One that merely gets no processor
  // for some seconds keeps its connection, or all calls on it would fail.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 10_000,
} as const;

/**
 * Behind one service address every client has one connection, to one replica. Connections that take no new calls after a minute
 * spread over replicas that came later; what they carry may end, a long answer to a slow client (10 minutes) too.
 */
export const GRPC_SERVER_OPTIONS = {
  ...GRPC_CHANNEL_OPTIONS,
  // A server loses nothing by waiting for a client that is gone.
  'grpc.keepalive_timeout_ms': 30_000,
  'grpc.max_connection_age_ms': 60_000,
  'grpc.max_connection_age_grace_ms': 12 * 60_000,
} as const;

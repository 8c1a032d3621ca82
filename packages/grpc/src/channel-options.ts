/** Largest gRPC message, bytes: a historic body of 5 MiB with its envelope, and room for wide node lists in chunks. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

export const GRPC_CHANNEL_OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
} as const;

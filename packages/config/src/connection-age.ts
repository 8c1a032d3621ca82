import type { EnvReader } from './env-reader.ts';

/**
 * Age up to which a connection to a service takes new calls (`GRPC_CONNECTION_AGE_SECONDS`): its clients make a new one then, which
 * may reach a replica that came later. Calls under way end on the old one.
 */
export const connectionAgeMs = (read: EnvReader): number =>
  read.int('GRPC_CONNECTION_AGE_SECONDS', { min: 1, max: 86_400, fallback: 60 }) * 1_000;

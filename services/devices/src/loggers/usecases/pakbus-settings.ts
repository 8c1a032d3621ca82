import type { EnvReader } from '@catchment/config';
import { PROVEN_MODELS } from '../domain/pakbus-source.ts';

const ADDRESS_MAX = 4_094;

/** Reads settings of sessions with PakBus loggers; see README. */
export const pakBusSettings = (read: EnvReader) => ({
  ownAddress: read.int('PAKBUS_ADDRESS', { min: 1, max: ADDRESS_MAX, fallback: ADDRESS_MAX }),
  models: read
    .text('PAKBUS_MODELS', { fallback: PROVEN_MODELS.join() })
    .split(',')
    .map((name) => name.trim()),
  responseMs: read.int('PAKBUS_RESPONSE_SECONDS', { min: 1, max: 120, fallback: 10 }) * 1_000,
});

export type PakBusSettings = ReturnType<typeof pakBusSettings>;

import type { EnvReader } from '@catchment/config';

/** The README explains how these numbers are chosen. */
export const acquisitionSettings = (read: EnvReader) => ({
  sessions: read.int('ACQUISITION_SESSIONS', { min: 1, max: 1_000, fallback: 32 }),
  sessionsPerAccount: read.int('ACQUISITION_SESSIONS_PER_ACCOUNT', { min: 1, max: 1_000, fallback: 16 }),
});

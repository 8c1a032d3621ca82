import type { EnvReader } from './env-reader.ts';

// The size of an answer, and the time that it may take (docs/reference/limits.md), are the same in every service that makes answers.

/** `RESPONSE_MAX_FIELDS` bounds the values of a read or a chart. */
export const responseMaxFields = (read: EnvReader): number =>
  read.int('RESPONSE_MAX_FIELDS', { min: 1, max: 50_000_000, fallback: 1_000_000 });

/** `RESPONSE_MAX_BYTES` bounds the text of an answer before compression, or an image. */
export const responseMaxBytes = (read: EnvReader): number =>
  read.int('RESPONSE_MAX_BYTES', { min: 1024, fallback: 200 * 1024 * 1024 });

/** `REQUEST_MAX_SECONDS`: a read, a chart or a report is given up after this time. */
export const requestMaxSeconds = (read: EnvReader): number =>
  read.int('REQUEST_MAX_SECONDS', { min: 1, max: 3600, fallback: 60 });

import { createHash } from 'node:crypto';

const LENGTH = 32;

/** Changes with a part of a configuration. A jsonb column gives the same value in the same order of attributes each time. */
export const digestOf = (part: unknown): string =>
  createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, LENGTH);

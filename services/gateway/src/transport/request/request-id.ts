import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The client's own X-Request-Id where it is short and harmless to log, otherwise a fresh one. */
export const requestIdOf = (header: string | readonly string[] | undefined): string =>
  typeof header === 'string' && SANE.test(header) ? header : randomUUID();

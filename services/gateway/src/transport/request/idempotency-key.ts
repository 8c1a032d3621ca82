import { hash } from 'node:crypto';
import { invalid } from '@catchment/errors';
import type { FastifyRequest } from 'fastify';

const HEADER = 'idempotency-key';
export const KEY_MAX = 255;
/** Visible ASCII. */
const KEY = new RegExp(`^[\\x21-\\x7e]{1,${KEY_MAX}}$`);
/** Matches a string of Structured Fields (RFC 8941), as the draft of the header writes it. */
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Returns the key of a request that may come again (docs/reference/requests-and-errors.md#repeated-requests), as its text or in quotes;
 * undefined where it has none, and where it changes nothing.
 * @throws DomainError invalid_argument
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const sent = request.headers[HEADER];
  if (sent === undefined || request.routeOptions.config.rule?.isWrite !== true) return undefined;
  const text = String(sent).trim();
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? text;
  if (KEY.test(key)) return key;
  throw invalid(
    'INVALID_HEADER',
    `Idempotency-Key: must be one text of 1 to ${KEY_MAX} visible characters of ASCII, such as a random UUID`,
  );
}

/** Distinguishes requests with one key from each other, but for their bodies. */
export function headPrint({ method, raw, headers }: FastifyRequest): Buffer {
  const revision = headers['if-match'];
  const head = [method, raw.url ?? '', ...(revision === undefined ? [] : [revision])];
  return hash('sha256', head.join('\n'), 'buffer');
}

/** The key together with whoever has sent it: nobody else is ever shown the answer. */
export const keyPrint = (sender: string, key: string): Buffer => hash('sha256', `${sender}\n${key}`, 'buffer');

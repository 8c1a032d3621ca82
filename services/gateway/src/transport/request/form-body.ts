import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import type { FastifyRequest } from 'fastify';
import type { BodyClaim } from '../../domain/body-budget.ts';
import { asObject } from './json-body.ts';
import { decodedPairs } from './query.ts';
import { receiveBytes } from './read-body.ts';

const FORM_MAX_BYTES = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';

export type FormBody = { readonly isJson: boolean; readonly values: URLSearchParams };

/**
 * The fields of a form, sent by a page, or by a program as a JSON object of texts.
 * @throws DomainError too_large, invalid_argument
 */
export async function readForm(request: FastifyRequest, claim: BodyClaim): Promise<FormBody> {
  const bytes = await receiveBytes(request.raw, FORM_MAX_BYTES, claim);
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return { isJson: true, values: textsOf(bytes) };
  if (bytes.length > 0 && type !== FORM)
    throw invalid('BAD_CONTENT_TYPE', `Content-Type: must be ${FORM} or application/json`);
  return { isJson: false, values: new URLSearchParams(decodedPairs(bytes.toString('latin1'), 'form')) };
}

function textsOf(bytes: Buffer): URLSearchParams {
  const values = new URLSearchParams();
  if (bytes.length === 0) return values;
  for (const [name, value] of Object.entries(asObject(parseJsonBody(bytes)))) {
    if (value === null || value === undefined) continue;
    if (typeof value !== 'string') throw invalid('INVALID_BODY', `${name}: must be a text`);
    values.set(name, value);
  }
  return values;
}

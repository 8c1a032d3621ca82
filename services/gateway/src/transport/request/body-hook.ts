import { invalid } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import type { FastifyRequest } from 'fastify';
import type { BodyBudget, BodyClaim, Payer } from '../../domain/body-budget.ts';
import { clientAddress } from '../../domain/client-address.ts';
import { isOverrideRefused, OVERRIDE_RULE } from './method-override.ts';
import { readBody } from './read-body.ts';
import { checkFileHeaders, checkUploadHeaders } from './upload-headers.ts';

/** An upload takes this memory: a segment that arrives, one being written, and the bytes between. */
export const UPLOAD_MEMORY_BYTES = 2 * 1024 * 1024;

/**
 * The memory of a request's body, given back when the request ends.
 * @param payer an account whose key was checked; undefined = whoever sends from the address
 */
export function openClaim(budget: BodyBudget, request: FastifyRequest, payer?: Payer): BodyClaim {
  if (payer && 'account' in payer) request.call.pays(payer.account);
  const claim = budget.open(payer ?? { address: clientAddress(request.ip) });
  request.call.bodyClaim = claim;
  return claim;
}

/** Step 8 in docs/reference/requests-and-errors.md#order-of-checks: headers that shape the body, its size, encoding and JSON. */
export const createBodyHook =
  (budget: BodyBudget) =>
  async (request: FastifyRequest): Promise<void> => {
    if (isOverrideRefused(request.raw)) throw invalid('BAD_METHOD_OVERRIDE', OVERRIDE_RULE);
    const { rule, bodyKind = 'ignored' } = request.routeOptions.config;
    if (!rule?.isWrite) return;
    const claim = openClaim(budget, request, request.call.caller && { account: request.call.caller.ownerId });
    if (bodyKind === 'multipart' || bodyKind === 'file') {
      if (bodyKind === 'file') checkFileHeaders(request.raw);
      else checkUploadHeaders(request.raw, request.routeOptions.url?.endsWith('/import'));
      claim.take(UPLOAD_MEMORY_BYTES);
      return;
    }
    const isCsv = bodyKind === 'csv';
    const body = await readBody(request.raw, claim, isCsv ? 'text/csv' : 'application/json');
    if (body.length === 0 && (isCsv || bodyKind === 'json' || bodyKind === 'opaque')) {
      throw invalid('BODY_MISSING', 'body: must be sent');
    }
    // The historic service parses its documents itself, once (docs/reference/guarantees.md#whole-answers).
    if (body.length > 0 && bodyKind !== 'opaque' && !isCsv) parseJsonBody(body);
    request.call.body = body;
  };

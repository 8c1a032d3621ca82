import { invalid } from '@catchment/errors';
import type { CallOptions } from '@catchment/grpc';
import { readArguments, UPLINK } from '@catchment/query';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import type { BodyBudget } from '../../domain/body-budget.ts';
import * as docs from '../docs/device-messages.ts';
import { parseQuery, rawQueryOf } from '../request/query.ts';
import { BODY_MAX_BYTES, receiveBytes } from '../request/read-body.ts';
import { sendBytes } from '../response/send.ts';
import { ACCEPTED, CALL_MS } from './api-call.ts';
import { definePathEnds } from './define-routes.ts';
import { type PushedDeps, uploadPath } from './pushed-file.ts';
import { passwordOf, refused } from './uploads.ts';

type MessageDeps = PushedDeps & { readonly budget: BodyBudget; readonly uploadUrl: string | undefined };
type Take = (request: FastifyRequest, body: Buffer, options: CallOptions) => Promise<unknown>;

const UPLINK_MAX_BYTES = 256 * 1024;

/** Messages of devices that are no files, without a key of the API (docs/reference/iot.md). */
export function addDeviceMessages(app: FastifyInstance, deps: MessageDeps): void {
  const { devices } = deps;
  const path = uploadPath(deps.uploadUrl);
  message(app, deps, `${path}/lorawan/:key`, docs.takeUplink, UPLINK_MAX_BYTES, (request, body, options) => {
    const { event = '' } = readArguments(UPLINK, parseQuery(rawQueryOf(request.raw.url ?? '')));
    const { key } = request.params as { key: string };
    const password = passwordOf(request.headers.authorization);
    return devices.takeUplink(
      { key, event, body, address: request.ip, ...(password !== undefined && { password }) },
      options,
    );
  });
  message(app, deps, `${path}/sensorlog`, docs.takeSamples, BODY_MAX_BYTES, (request, body, options) => {
    const mediaType = (request.headers['content-type'] ?? '').toLowerCase().slice(0, 100);
    return devices.takeSamples({ body, mediaType }, options);
  });
}

function message(
  app: FastifyInstance,
  { budget, signer }: MessageDeps,
  url: string,
  schema: FastifySchema,
  maxBytes: number,
  take: Take,
): void {
  app.route({
    method: 'POST',
    url,
    schema,
    handler: async (request, reply) => {
      const claim = budget.open();
      request.call.bodyClaim = claim;
      const body = await receiveBytes(request.raw, maxBytes, claim);
      if (body.length === 0) throw invalid('BODY_MISSING', 'body: must be sent');
      const token = await signer.sign({ kind: 'service', service: 'gateway' });
      // Its effect must be known for certain, whether the client waits or not.
      await take(request, body, { token, timeoutMs: CALL_MS }).catch(refused);
      await sendBytes(request, reply, ACCEPTED);
      return reply;
    },
  });
  definePathEnds(app, url, ['POST'], false);
}

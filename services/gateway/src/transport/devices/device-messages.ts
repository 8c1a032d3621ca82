import { invalid } from '@catchment/errors';
import type { CallOptions } from '@catchment/grpc';
import { readArguments, UPLINK } from '@catchment/query';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import type { BodyBudget, Payer } from '../../domain/body-budget.ts';
import { openClaim } from '../request/body-hook.ts';
import { parseQuery, rawQueryOf } from '../request/query.ts';
import { BODY_MAX_BYTES, receiveBytes } from '../request/read-body.ts';
import { sendBytes } from '../response/send.ts';
import { ACCEPTED, CALL_MS } from '../routing/api-call.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import * as docs from './device-messages-docs.ts';
import { type PushedDeps, uploadPath } from './pushed-file.ts';
import { passwordOf, refused } from './uploads.ts';

type MessageDeps = PushedDeps & { readonly budget: BodyBudget; readonly uploadUrl: string | undefined };

type Message = {
  readonly maxBytes: number;
  /**
   * Names who pays for the body, where that is known before it is read. @throws DomainError as the service refuses a
   * sender
   */
  readonly payer?: (request: FastifyRequest, options: CallOptions) => Promise<Payer | undefined>;
  readonly take: (request: FastifyRequest, body: Buffer, options: CallOptions) => Promise<unknown>;
};

const UPLINK_MAX_BYTES = 256 * 1024;

/** Messages of devices that are no files, without a key of the API (docs/reference/iot.md). */
export function addDeviceMessages(app: FastifyInstance, deps: MessageDeps): void {
  const { devices } = deps;
  const path = uploadPath(deps.uploadUrl);
  message(app, deps, `${path}/lorawan/:key`, docs.takeUplink, {
    maxBytes: UPLINK_MAX_BYTES,
    payer: async (request, options) => {
      const { ownerId } = await devices.admitUplink(loginOf(request), options);
      return ownerId === '' ? undefined : { account: ownerId };
    },
    take: (request, body, options) => {
      const { event = '' } = readArguments(UPLINK, parseQuery(rawQueryOf(request.raw.url ?? '')));
      return devices.takeUplink({ ...loginOf(request), event, body }, options);
    },
  });
  // The body says which device has sent it.
  message(app, deps, `${path}/sensorlog`, docs.takeSamples, {
    maxBytes: BODY_MAX_BYTES,
    take: (request, body, options) => {
      const mediaType = (request.headers['content-type'] ?? '').toLowerCase().slice(0, 100);
      return devices.takeSamples({ body, mediaType }, options);
    },
  });
}

function loginOf(request: FastifyRequest) {
  const { key } = request.params as { key: string };
  const password = passwordOf(request.headers.authorization);
  return { key, address: request.ip, ...(password !== undefined && { password }) };
}

function message(
  app: FastifyInstance,
  { budget, signer }: MessageDeps,
  url: string,
  schema: FastifySchema,
  { maxBytes, payer, take }: Message,
): void {
  app.route({
    method: 'POST',
    url,
    schema,
    handler: async (request, reply) => {
      const options = async () => ({
        token: await signer.sign({ kind: 'service', service: 'gateway' }),
        timeoutMs: CALL_MS,
      });
      const claim = openClaim(budget, request, await payer?.(request, await options()).catch(refused));
      const body = await receiveBytes(request.raw, maxBytes, claim);
      if (body.length === 0) throw invalid('BODY_MISSING', 'body: must be sent');
      // Its effect must be known for certain, whether the client waits or not.
      await take(request, body, await options()).catch(refused);
      await sendBytes(request, reply, ACCEPTED);
      return reply;
    },
  });
  definePathEnds(app, url, ['POST'], false);
}

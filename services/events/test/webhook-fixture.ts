import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiCaller } from '@catchment/access';
import type { RevisionMatch } from '@catchment/contracts/nodes';
import { WebhooksServiceService } from '@catchment/contracts/webhooks';
import { readRanges } from '@catchment/egress';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { startWebhooks } from '../src/start-webhooks.ts';
import { log, type Service } from './fixture.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
export const LOOPBACK = { allowsHttp: true, allowedRanges: readRanges(['127.0.0.0/8']) ?? [] };

type Json = Record<string, unknown>;
type Options = Partial<Pick<Parameters<typeof startWebhooks>[0], 'rules' | 'resolve' | 'nodes' | 'tryMs'>>;

/** Starts a replica of the webhooks on the fixture's stores, with a clock that the test moves. */
export async function startReplica(service: Service, clock: { nowMs: number }, options: Options = {}) {
  const webhooks = startWebhooks({
    database: service.database,
    bus: service.bus,
    events: service.events,
    rules: LOOPBACK,
    log,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    nodes: async () => new Map(),
    now: () => clock.nowMs,
    // A receiver that is silent stays so, and one that is slow is waited for.
    tryMs: HANGS_AFTER_MS,
    ...options,
  });
  const server = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log })
    .add(WebhooksServiceService, webhooks.handlers)
    .listen({ host: '127.0.0.1', port: 0 });
  const client = createGrpcClient(WebhooksServiceService, `127.0.0.1:${server.port}`);
  const signer = new CallerSigner(SECRET);
  const bodyOf = (body: unknown) => Buffer.from(JSON.stringify(body));
  const json = async (answer: Promise<{ json: Uint8Array }>) => JSON.parse(Buffer.from((await answer).json).toString());
  const by = async (caller: ApiCaller) => ({ token: await signer.sign(caller) });
  return {
    wake: webhooks.wake,
    list: async (caller: ApiCaller): Promise<Json[]> => json(client.listWebhooks({}, await by(caller))),
    get: async (caller: ApiCaller, id: string): Promise<Json> => json(client.getWebhook({ id }, await by(caller))),
    create: async (caller: ApiCaller, body: unknown): Promise<Json & { _id: string; secret: string }> =>
      json(client.createWebhook({ body: bodyOf(body) }, await by(caller))),
    update: async (caller: ApiCaller, id: string, body: unknown, ifMatch?: RevisionMatch): Promise<Json> =>
      json(client.updateWebhook({ id, body: bodyOf(body), ifMatch }, await by(caller))),
    remove: async (caller: ApiCaller, id: string, ifMatch?: RevisionMatch) =>
      client.deleteWebhook({ id, ifMatch }, await by(caller)),
    rotate: async (caller: ApiCaller, id: string): Promise<Json & { secret: string }> =>
      json(client.rotateSecret({ id }, await by(caller))),
    deliveries: async (
      caller: ApiCaller,
      id: string,
      given: Record<string, string> = {},
    ): Promise<(Json & { _id: string; status: string; tries: Json[] })[]> =>
      json(client.listDeliveries({ id, arguments: given }, await by(caller))),
    redeliver: async (caller: ApiCaller, id: string, deliveryId: string): Promise<Json> =>
      json(client.redeliver({ id, deliveryId }, await by(caller))),
    test: async (caller: ApiCaller, id: string): Promise<Json> => json(client.testWebhook({ id }, await by(caller))),
    stop: webhooks.stop,
    close: async () => {
      client.close();
      await server.close();
      await webhooks.stop();
    },
  };
}

export type Received = {
  readonly id: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly events: readonly { id: string; type: string; data: Json }[];
};
type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/** Starts an HTTP server that keeps what it gets, and answers 204 unless a test asks otherwise. */
export async function startReceiver(): Promise<{
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  answer: Answer;
  close(): Promise<void>;
}> {
  const received: Received[] = [];
  const receiver = { answer: ((response) => void response.writeHead(204).end()) as Answer };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const headers = request.headers as Record<string, string>;
      const delivery = {
        id: headers['webhook-id'] ?? '',
        path: request.url ?? '',
        headers,
        text,
        events: JSON.parse(text),
      };
      received.push(delivery);
      receiver.answer(response, delivery, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Returns whether a delivery is signed with the secret, as the library of the convention says, at a time of the test's clock. */
export function isSignedWith(secret: string, { text, headers }: Received, nowMs: number): boolean {
  const now = vi.spyOn(Date, 'now').mockReturnValue(nowMs);
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  } finally {
    now.mockRestore();
  }
}

import { Writable } from 'node:stream';
import type { ApiCaller } from '@catchment/access';
import { EventsServiceService } from '@catchment/contracts/events';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { createLogger } from '@catchment/telemetry';
import { Front } from '@catchment/testkit';
import { AHEAD_MESSAGES } from './hand-off.ts';
import {
  type CallContext,
  CallerSigner,
  CallerVerifier,
  type CallOptions,
  type GrpcServer,
  GrpcServerBuilder,
  type Handlers,
  LocalCalls,
  type Peer,
  remotePeer,
} from './index.ts';

export const SECRET = 'a-test-secret-of-more-than-32-characters';
export const signer = new CallerSigner(SECRET);
export const apiCaller: ApiCaller = {
  kind: 'api',
  ownerId: '0'.repeat(24),
  userId: '1'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
};

type Local = { readonly calls: LocalCalls; readonly name: string };
/** Servers are put here, one after the other, and are reached like this. */
type Place = {
  listen(server: (local?: Local) => GrpcServerBuilder): Promise<GrpcServer>;
  readonly peer: Peer;
  close(): void;
};

export type Way = {
  readonly name: string;
  open(): Promise<Place>;
  /** Small calls travel together. */
  readonly isShared: boolean;
  /** A client has no more than 5 000 of them. */
  readonly isBounded: boolean;
  /** Messages of 64 KiB by which a handler may be ahead of its reader. */
  readonly ahead: number;
};

/** The address stays when the server is replaced. */
async function overGrpc(): Promise<Place> {
  let port: number | undefined;
  const front = await Front.open(() => {
    if (port === undefined) throw new Error('no server yet');
    return { host: '127.0.0.1', port };
  });
  return {
    listen: async (server) => {
      const listening = await server().listen({ host: '127.0.0.1', port: 0 });
      port = listening.port;
      return listening;
    },
    peer: remotePeer(`127.0.0.1:${front.port}`),
    close: () => front.close(),
  };
}

async function insideAProcess(): Promise<Place> {
  const calls = new LocalCalls({ checksMessages: true });
  return {
    listen: (server) => server({ calls, name: 'peer' }).listen({ host: '127.0.0.1', port: 0 }),
    peer: calls.peer('peer'),
    close: () => {},
  };
}

/** All ways of a call with one answer; those of a stream are the ones that share nothing. */
export const WAYS: readonly Way[] = [
  { name: 'over gRPC', open: overGrpc, isShared: false, isBounded: false, ahead: 200 },
  { name: 'over gRPC, sharing a stream', open: overGrpc, isShared: true, isBounded: true, ahead: 200 },
  { name: 'inside a process', open: insideAProcess, isShared: false, isBounded: true, ahead: AHEAD_MESSAGES + 1 },
];

const STREAMED = {
  by: 'writeStream',
  calls: ['writeNow'],
  sizeBytes: ({ body }: { body: Uint8Array }) => body.length,
} as const;

export type Service = {
  answer?: (context: CallContext, request: { readonly nodeRef: string; readonly body: Buffer }) => unknown;
  send?: (context: CallContext, nodeRef: string) => AsyncIterable<Buffer>;
  drainMs?: number;
};
export type Called = Partial<CallOptions> & { readonly nodeRef?: string; readonly body?: Buffer };
type Line = Readonly<Record<string, unknown>>;

const handlersOf = ({ answer = () => 1, send }: Service) => ({
  historic: {
    writeNow: async (request: { nodeRef: string; body: Buffer }, context: CallContext) => ({
      rows: Number(await answer(context, request)),
      parts: [],
    }),
  } as unknown as Handlers<typeof HistoricServiceService>,
  events: {
    async *listEvents({ nodeRef }: { nodeRef: string }, context: CallContext) {
      for await (const data of send?.(context, nodeRef) ?? []) yield { data, contentType: '', revision: '' };
    },
  } as unknown as Handlers<typeof EventsServiceService>,
});

/** A place for a service of one call and one stream, and its clients; nothing serves there yet. */
export async function openPlace({ open, isShared }: Way) {
  const place = await open();
  const lines: Line[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => done(void lines.push(JSON.parse(String(chunk)))),
  });
  const log = createLogger('test', { destination, level: 'debug' });
  const servers: GrpcServer[] = [];
  const serve = async (service: Service = {}) => {
    const { historic, events } = handlersOf(service);
    const { drainMs } = service;
    const server = await place.listen((local) =>
      new GrpcServerBuilder({
        verifier: new CallerVerifier(SECRET),
        log,
        ...(local && { local }),
        ...(drainMs !== undefined && { drainMs }),
      })
        .add(HistoricServiceService, historic)
        .add(EventsServiceService, events),
    );
    servers.push(server);
    return server;
  };
  const token = await signer.sign(apiCaller);
  const client = () => place.peer.client(HistoricServiceService, isShared ? { streamed: STREAMED } : {});
  const [historic, events] = [client(), place.peer.client(EventsServiceService)];
  const call = async ({ nodeRef = '', body = Buffer.alloc(0), ...options }: Called = {}, of = historic) =>
    (await of.writeNow({ nodeRef, body, arrivalMs: 0 }, { token, ...options })).rows;
  const read = async function* ({ nodeRef = '', ...options }: Called = {}) {
    const request = { nodeRef, arguments: {}, arrivalMs: 0 };
    for await (const { data } of events.listEvents(request, { token, timeoutMs: 60_000, ...options })) yield data;
  };
  const dispose = async () => {
    for (const channel of [historic, events]) channel.close();
    for (const server of servers) await server.close();
    place.close();
  };
  return { peer: place.peer, serve, call, read, client, historic, events, lines, [Symbol.asyncDispose]: dispose };
}

export async function openService(way: Way, service: Service = {}) {
  const place = await openPlace(way);
  const server = await place.serve(service);
  await Promise.all([place.historic, place.events].map((client) => client.waitForReady(60_000)));
  return { ...place, server };
}

export const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

import { EventsServiceService } from '@catchment/contracts/events';
import { HistoricServiceService } from '@catchment/contracts/historic';
import {
  CallerSigner,
  CallerVerifier,
  GrpcServerBuilder,
  type Handlers,
  LocalCalls,
  type Peer,
  remotePeer,
} from '@catchment/grpc';
import { createLogger } from '@catchment/telemetry';
import { atMostOfFloor, type Row } from '../report.ts';
import { inTurns } from '../watch/in-turns.ts';

const SECRET = 'a-secret-of-the-benchmarks-of-32-characters';
const CALLS = 10_000;
const CONCURRENT = 16;
const MESSAGES = 10_000;
const TURNS = 5;
/** A message of 3 points and a chunk of a page of events have about these sizes. */
const BODY = Buffer.alloc(200, 'x');
const CHUNK = Buffer.alloc(4 * 1024, 'x');

const STREAMED = { by: 'writeStream', calls: ['writeNow'], sizeBytes: () => 0 } as const;

/** Measures the processor time of both sides of a call inside this process, beside the same over gRPC and a socket of the loopback. */
export async function measureCalls(scale = 1): Promise<Row[]> {
  const calls = new LocalCalls();
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log: createLogger('bench', { level: 'warn' }),
    local: { calls, name: 'peer' },
  })
    .add(HistoricServiceService, { writeNow: async () => ({ rows: 1, parts: [] }) } as unknown as Handlers<
      typeof HistoricServiceService
    >)
    .add(EventsServiceService, { listEvents } as unknown as Handlers<typeof EventsServiceService>)
    .listen({ host: '127.0.0.1', port: 0 });
  const ways = [calls.peer('peer'), remotePeer(`127.0.0.1:${server.port}`)].map((peer) => clientsOf(peer));
  const [local, remote] = ways as [Clients, Clients];
  try {
    const [count, messages] = [Math.ceil(CALLS * scale), Math.ceil(MESSAGES * scale)];
    const both = [local, remote] as const;
    return [
      await compared('call by itself, 16 at a time', both, { count, bar: 0.1, work: (way) => way.call(count) }),
      await compared('call that shares a stream over gRPC', both, { count, bar: 0.4, work: (way) => way.share(count) }),
      await compared('message of a stream, 4 KiB', both, {
        count: messages,
        bar: 0.15,
        work: (way) => way.read(messages),
      }),
    ];
  } finally {
    for (const way of ways) way.close();
    await server.close();
  }
}

async function* listEvents({ arguments: { count } }: { arguments: Readonly<Record<string, string>> }) {
  for (let n = Number(count); n > 0; n -= 1) yield { data: CHUNK, contentType: '', revision: '' };
}

type Clients = ReturnType<typeof clientsOf>;

function clientsOf(peer: Peer) {
  const signer = new CallerSigner(SECRET);
  const sign = () => signer.sign({ kind: 'service', service: 'bench' });
  const [alone, shared] = [
    peer.client(HistoricServiceService),
    peer.client(HistoricServiceService, { streamed: STREAMED }),
  ];
  const events = peer.client(EventsServiceService);
  const many = async (client: typeof alone, count: number) => {
    let left = count;
    const token = await sign();
    const work = async () => {
      while (left > 0) {
        left -= 1;
        await client.writeNow({ nodeRef: 'x'.repeat(24), body: BODY, arrivalMs: 1 }, { token });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, work));
  };
  return {
    call: (count: number) => many(alone, count),
    share: (count: number) => many(shared, count),
    read: async (count: number) => {
      const token = await sign();
      const request = { nodeRef: '', arguments: { count: String(count) }, arrivalMs: 0 };
      for await (const { data } of events.listEvents(request, { token, timeoutMs: 60_000 }))
        if (data.length !== CHUNK.length) throw new Error('a message is not whole');
    },
    close: () => {
      for (const client of [alone, shared, events]) client.close();
    },
  };
}

type Compared = { readonly count: number; readonly bar: number; readonly work: (way: Clients) => Promise<void> };

/** The ratio is the share of what gRPC takes. */
async function compared(
  name: string,
  [local, remote]: readonly [Clients, Clients],
  { count, bar, work }: Compared,
): Promise<Row> {
  const processorMs = (way: Clients) => async () => {
    const before = process.cpuUsage();
    await work(way);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const { ownMs, floorMs } = await inTurns(TURNS, processorMs(local), processorMs(remote));
  const [ownUs, grpcUs] = [ownMs, floorMs].map((ms) => (ms / count) * 1_000) as [number, number];
  return atMostOfFloor(`${name} (over gRPC ${grpcUs.toFixed(1)} µs)`, ownUs, 'µs', grpcUs, bar);
}

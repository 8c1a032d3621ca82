// A cluster of NATS runs, and a PostgreSQL with a standby behind one name.
import { Front, type NatsCluster, ownNatsCluster, ownPostgresPair, type PostgresPair, until } from '@catchment/testkit';

const CURRENT_LIMIT_MS = 120_000;

export type Backends = {
  readonly nats: NatsCluster;
  readonly postgres: PostgresPair;
  /** Leads to the primary of the moment, as the name of a managed database does. */
  readonly postgresUrl: string;
  stop(): Promise<void>;
};

/** @param natsBinary nats-server to run instead of the machine's */
export async function startBackends(natsBinary: string | undefined): Promise<Backends> {
  await using started = new AsyncDisposableStack();
  const nats = started.use(await ownNatsCluster(natsBinary ? { binary: natsBinary } : {}));
  const postgres = started.use(await ownPostgresPair());
  const name = started.adopt(
    await Front.open(() => {
      const { hostname, port } = new URL(postgres.primary.url);
      return { host: hostname, port: Number(port) };
    }),
    (front) => front.close(),
  );
  const url = new URL(postgres.primary.url);
  url.port = String(name.port);
  const running = started.move();
  return { nats, postgres, postgresUrl: url.href, stop: () => running.disposeAsync() };
}

/** Resolves when every stream has a leader and as many copies as asked for, and each of them has all messages. */
export async function untilCurrent(nats: NatsCluster, replicas: number): Promise<void> {
  await until(
    async () => {
      const streams = await nats.streams();
      const isCurrent = (stream: (typeof streams)[number]) =>
        stream.leader !== undefined && stream.replicas === replicas && stream.currentReplicas === replicas;
      return streams.length > 0 && streams.every(isCurrent);
    },
    { deadlineMs: CURRENT_LIMIT_MS, everyMs: 250, what: `every stream has ${replicas} current copies` },
  );
}

/** Returns the name of the server that leads the ingest log. */
export async function leaderOfLog(nats: NatsCluster): Promise<string> {
  const leader = await until(async () => (await nats.streams()).find(({ name }) => name === 'INGEST')?.leader, {
    deadlineMs: CURRENT_LIMIT_MS,
    what: 'the ingest log has a leader',
  });
  return leader;
}

import { startInflux } from './influx.ts';
import { startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import { givenServer, type RunningServer } from './running-server.ts';
import type { ServerOptions } from './server-options.ts';

export type StartServersOptions = ServerOptions & {
  /** A server given by URL is used as it is: nothing is started for it. */
  postgresUrl?: string;
  natsUrl?: string;
  influxUrl?: string;
  postgresBinary?: string;
  natsBinary?: string;
  influxBinary?: string;
  /** More InfluxDBs start besides that one, by the names of their shards. */
  moreInflux?: readonly string[];
  /** NATS: fsync every message where it can; default true. */
  durable?: boolean;
  /** Settings of PostgreSQL: see `PostgresOptions`. */
  fast?: boolean;
  fsync?: boolean;
};

export type Servers = {
  readonly postgres: RunningServer;
  readonly nats: RunningServer;
  readonly influx: RunningServer;
  /** The key is the name of the shard; the data are in `influx-<name>`. */
  readonly moreInflux: ReadonlyMap<string, RunningServer>;
  /** Stops the servers that were started here. */
  stop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/**
 * Starts PostgreSQL, NATS and InfluxDB, each given by URL or run on this machine with its data under `dataDir`.
 * @throws Error when one cannot be started; the others are stopped then
 */
export async function startServers(options: StartServersOptions): Promise<Servers> {
  const { postgresUrl, natsUrl, influxUrl, postgresBinary, natsBinary, influxBinary, ...rest } = options;
  const { moreInflux: names = [], ...common } = rest;
  await using started = new AsyncDisposableStack();
  const start = async (name: string, starting: Promise<RunningServer>) => {
    const server = started.use(await starting);
    common.log?.(
      `${name} ${server.version ?? ''} ${server.where === 'given' ? 'given by URL' : 'is ready'}`.replace('  ', ' '),
    );
    return server;
  };
  const influxOptions = { ...common, ...binary(influxBinary) };
  const starting = [
    start(
      'PostgreSQL',
      postgresUrl ? given('postgres', postgresUrl) : startPostgres({ ...common, ...binary(postgresBinary) }),
    ),
    start('NATS', natsUrl ? given('nats', natsUrl) : startNats({ ...common, ...binary(natsBinary) })),
    start('InfluxDB', influxUrl ? given('influx', influxUrl) : startInflux(influxOptions)),
    ...names.map((name) => start(`InfluxDB ${name}`, startInflux({ ...influxOptions, folder: `influx-${name}` }))),
  ] as const;
  // Servers that are ready while another one cannot be started are stopped, too.
  await Promise.allSettled(starting);
  const [postgres, nats, influx, ...more] = await Promise.all(starting);
  const moreInflux = new Map(more.map((server, n) => [names[n] as string, server]));
  const running = started.move();
  const stop = () => running.disposeAsync();
  return { postgres, nats, influx, moreInflux, stop, [Symbol.asyncDispose]: stop };
}

async function given(kind: 'postgres' | 'nats' | 'influx', url: string): Promise<RunningServer> {
  return givenServer(kind, url);
}

function binary(path: string | undefined): { binary?: string } {
  return path === undefined ? {} : { binary: path };
}

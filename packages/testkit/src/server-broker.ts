import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { startInflux, startNats, startPostgres } from '@catchment/servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { removeDataFolder, temporaryDataFolder } from './own-servers.ts';
import { TEST_FILE_STORE_BYTES, TEST_SERVER_KINDS, type TestServer, type TestServerKind } from './server-kinds.ts';
import { natsLogin } from './test-nats.ts';

export { BROKER_ENV } from './server-kinds.ts';

const STARTERS: Record<TestServerKind, (dataDir: string) => Promise<TestServer>> = {
  postgres: (dataDir) => startPostgres({ dataDir, fast: true }),
  nats: (dataDir) => startNats({ dataDir, durable: false, maxFileStoreBytes: TEST_FILE_STORE_BYTES }),
  influx: (dataDir) => startInflux({ dataDir }),
};

async function startTestServer(kind: TestServerKind, dataDir: string): Promise<TestServer> {
  const server = await STARTERS[kind](dataDir);
  if (kind === 'nats') await keepAStream(server.url);
  return server;
}

/**
 * NATS removes the folder of all streams with the last of them, also while another is being made in it: that one is refused
 * («error creating store for stream»). A stream that stays keeps the folder.
 */
async function keepAStream(url: string): Promise<void> {
  const connection = await connect({ ...natsLogin(url), reconnect: false });
  try {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'STAYS', subjects: ['stays'], max_bytes: 1_024 });
  } finally {
    await connection.close();
  }
}

type ServerBroker = {
  /** Path of the Unix socket to put into `BROKER_ENV`. */
  socket: string;
  /** Stops all servers and deletes their data. */
  close: () => Promise<void>;
};

/**
 * Hands out the test servers of one run over a Unix socket, `GET /postgres|nats|influx` → URL, and starts each when it
 * is first needed: a run of unit tests alone starts none. The socket's folder is open to this account only.
 */
export async function openServerBroker(): Promise<ServerBroker> {
  const socketDir = await mkdtemp(path.join(os.tmpdir(), 'catchment-broker-'));
  const dataDir = await temporaryDataFolder(true);
  const started = new Map<TestServerKind, Promise<TestServer>>();
  const start = (kind: TestServerKind) => {
    const starting = started.get(kind) ?? startTestServer(kind, dataDir);
    started.set(kind, starting);
    return starting;
  };
  const http = createServer(answerWith(start));
  const socket = path.join(socketDir, 'servers.sock');
  await new Promise<void>((resolve, reject) => http.once('error', reject).listen(socket, resolve));
  http.unref();
  const close = async () => {
    http.close();
    http.closeAllConnections();
    await Promise.allSettled([...started.values()].map(async (starting) => (await starting).stop()));
    await removeDataFolder(dataDir);
    await rm(socketDir, { recursive: true, force: true });
  };
  return { socket, close };
}

function answerWith(start: (kind: TestServerKind) => Promise<TestServer>): RequestListener {
  return ({ url: wanted }, response) => {
    const kind = TEST_SERVER_KINDS.find((known) => wanted === `/${known}`);
    if (kind === undefined) {
      response.writeHead(404).end();
      return;
    }
    start(kind).then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  };
}

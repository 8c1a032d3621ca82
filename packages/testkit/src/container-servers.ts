import { randomBytes } from 'node:crypto';
import { checkServer, IMAGES, natsConfig } from '@catchment/servers';
import type { StartedTestContainer } from 'testcontainers';
import { TEST_FILE_STORE_BYTES, type TestServer, type TestServerKind } from './server-kinds.ts';
import { until } from './until.ts';

const READY_LIMIT_MS = 60_000;
const USER = 'catchment';

type Recipe = {
  port: number;
  environment: (password: string) => Record<string, string>;
  command?: string[];
  files?: (password: string) => { content: string; target: string }[];
  url: (login: string, address: string) => string;
};

const RECIPES: Record<TestServerKind, Recipe> = {
  postgres: {
    port: 5432,
    environment: (password) => ({ POSTGRES_USER: USER, POSTGRES_PASSWORD: password }),
    command: ['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'],
    url: (login, address) => `postgres://${login}@${address}/catchment`,
  },
  nats: {
    port: 4222,
    environment: () => ({}),
    command: ['--config', '/etc/catchment.conf'],
    files: (password) => [{ content: containerNatsConfig(password), target: '/etc/catchment.conf' }],
    url: (login, address) => `nats://${login}@${address}`,
  },
  influx: {
    port: 8086,
    environment: () => ({
      INFLUXDB_HTTP_AUTH_ENABLED: 'true',
      INFLUXDB_HTTP_LOG_ENABLED: 'false',
      INFLUXDB_DATA_INDEX_VERSION: 'tsi1',
      INFLUXDB_REPORTING_DISABLED: 'true',
    }),
    url: (login, address) => `http://${login}@${address}`,
  },
};

function containerNatsConfig(password: string): string {
  return natsConfig({
    host: '0.0.0.0',
    port: 4222,
    folder: '/data',
    state: { ports: [], user: USER, password },
    deliveryClass: 'accepted',
    maxFileStoreBytes: TEST_FILE_STORE_BYTES,
  });
}

/** A server in a container of testcontainers, which also removes it should this process die. */
export async function startInContainer(kind: TestServerKind): Promise<TestServer> {
  const { GenericContainer } = await import('testcontainers'); // loaded only here: it is slow to load
  const recipe = RECIPES[kind];
  const password = randomBytes(24).toString('hex');
  const container = await new GenericContainer(IMAGES[kind].name)
    .withExposedPorts(recipe.port)
    .withEnvironment(recipe.environment(password))
    .withCommand(recipe.command ?? [])
    .withCopyContentToContainer(recipe.files?.(password) ?? [])
    .start();
  const url = recipe.url(`${USER}:${password}`, `${container.getHost()}:${container.getMappedPort(recipe.port)}`);
  await ready(kind, container, () => checkServer(kind, url));
  const stop = async () => {
    await container.stop();
  };
  return { url, stop };
}

async function ready(kind: string, container: StartedTestContainer, check: () => Promise<void>): Promise<void> {
  try {
    const answers = () => check().then(() => true);
    await until(answers, { deadlineMs: READY_LIMIT_MS, everyMs: 100, what: `${kind} in its container` });
  } catch (error) {
    await container.stop();
    throw error;
  }
}

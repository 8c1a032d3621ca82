import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeDataFolder, temporaryDataFolder, until } from '@catchment/testkit';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import {
  type RunningServer,
  removeServerData,
  startInflux,
  startNats,
  startPostgres,
  startServers,
} from '../src/index.ts';
import { startProcess } from '../src/server-process.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await temporaryDataFolder();
});
afterEach(() => removeDataFolder(dataDir));

async function queryPostgres(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function withNats<T>(
  url: string,
  use: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>,
): Promise<T> {
  const { host, username, password } = new URL(url);
  const connection = await connect({ servers: host, user: username, pass: password, reconnect: false });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

async function influx(url: string, request: string, body: string): Promise<string> {
  const { origin, username, password } = new URL(url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(origin + request, { method: 'POST', headers: form, body });
  expect(response.status).toBeLessThan(300);
  return response.text();
}

type Trial = {
  start: (dataDir: string) => Promise<RunningServer>;
  write: (url: string) => Promise<unknown>;
  read: (url: string) => Promise<unknown>;
  written: unknown;
};

const TRIALS: Record<string, Trial> = {
  PostgreSQL: {
    start: (folder) => startPostgres({ dataDir: folder }),
    write: (url) => queryPostgres(url, 'create table kept as select 42 as answer'),
    read: (url) => queryPostgres(url, 'select answer from kept'),
    written: [{ answer: 42 }],
  },
  NATS: {
    start: (folder) => startNats({ dataDir: folder }),
    write: (url) =>
      withNats(url, async (connection) => {
        await (await jetstreamManager(connection)).streams.add({ name: 'KEPT', subjects: ['kept'] });
        await jetstream(connection).publish('kept', 'answer');
      }),
    read: (url) =>
      withNats(url, async (connection) => {
        const { state } = await (await jetstreamManager(connection)).streams.info('KEPT');
        return state.messages;
      }),
    written: 1,
  },
  InfluxDB: {
    start: (folder) => startInflux({ dataDir: folder }),
    write: async (url) => {
      await influx(url, '/query', 'q=CREATE DATABASE kept');
      await influx(url, '/write?db=kept', 'm answer=42 1');
    },
    read: (url) => influx(url, '/query?db=kept', 'q=SELECT answer FROM m'),
    written: expect.stringContaining('42'),
  },
};

describe.each(Object.entries(TRIALS))('%s', (_name, { start, write, read, written }) => {
  test('keeps its data, port and login over SIGKILL and restart, and over a new start', async () => {
    const server = await start(dataDir);
    await write(server.url);
    const firstPid = server.pid;
    await server.kill();
    expect(server.pid).toBeUndefined();
    await expect(read(server.url)).rejects.toThrow();
    await server.restart();
    expect(server.pid).not.toBe(firstPid);
    expect(await read(server.url)).toEqual(written);
    await server.stop();

    await using again = await start(dataDir);
    expect(again.url).toBe(server.url);
    expect(await read(again.url)).toEqual(written);
  });

  test('keeps its files where no other account reads them', async () => {
    await using _server = await start(dataDir);
    const [folder = ''] = await readdir(dataDir);
    const { mode } = await stat(path.join(dataDir, folder));
    expect(mode & 0o067).toBe(0);
  });

  test('refuses a folder that another run uses', async () => {
    await using _first = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(/is in use by another run/);
  });

  test('a login with another password is refused', async () => {
    await using server = await start(dataDir);
    const stranger = new URL(server.url);
    stranger.password = 'guessed';
    await expect(read(stranger.href)).rejects.toThrow();
  });
});

test('a start waits for the children of a PostgreSQL that was killed, which hold its memory for a while', async () => {
  const killed = await startPostgres({ dataDir });
  const client = new pg.Client({ connectionString: killed.url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const child = Number(rows[0].pid);
  process.kill(child, 'SIGSTOP');
  await killed.kill();
  const starting = startPostgres({ dataDir });
  const logFile = path.join(dataDir, 'postgres', 'postgres.log');
  try {
    await until(async () => /shared memory block .*still in use/.test(await readFile(logFile, 'utf8')));
  } finally {
    process.kill(child, 'SIGKILL');
  }
  await using again = await starting;
  expect(again.url).toBe(killed.url);
});

test('two folders get servers of their own', async () => {
  const other = await temporaryDataFolder();
  try {
    await using first = await startNats({ dataDir });
    await using second = await startNats({ dataDir: other });
    expect(second.url).not.toBe(first.url);
  } finally {
    await removeDataFolder(other);
  }
});

test('a server that cannot start reports the end of its log', async () => {
  await mkdir(path.join(dataDir, 'influx'));
  await writeFile(path.join(dataDir, 'influx', 'meta'), 'a file where InfluxDB makes a folder');
  await expect(startInflux({ dataDir })).rejects.toThrow(
    /InfluxDB exited while starting. Its log ends:\n.*not a directory/s,
  );
});

test('a server that does not answer in time is killed', async () => {
  const logFile = path.join(dataDir, 'log');
  const started = startProcess({
    name: 'InfluxDB',
    program: 'sh',
    arguments: ['-c', 'echo $$; exec sleep 600'],
    stopSignal: 'SIGTERM',
    folder: dataDir,
    mark: 'sleep',
    logFile,
    readyLimitMs: 0,
    check: async () => {
      // Its process id is there.
      await until(async () => (await readFile(logFile, 'utf8')) !== '');
      throw new Error('no answer');
    },
  });
  await expect(started).rejects.toThrow(/InfluxDB is not ready after 0 ms/);
  const pid = Number(await readFile(logFile, 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a given program that is no such server is refused', async () => {
  await expect(startNats({ dataDir, binary: '/bin/true' })).rejects.toThrow('/bin/true is no usable nats-server');
});

test('a server given by URL is neither started nor stopped', async () => {
  await using servers = await startServers({
    dataDir,
    postgresUrl: 'postgres://somewhere/db',
    natsUrl: 'nats://somewhere',
    influxUrl: 'http://somewhere',
  });
  expect(servers.postgres).toMatchObject({ url: 'postgres://somewhere/db', where: 'given', pid: undefined });
  await expect(servers.nats.kill()).rejects.toThrow(/given by URL/);
  await servers.influx.stop();
});

test('removing the data makes the next start a first one', async () => {
  const first = await startPostgres({ dataDir, fast: true });
  await queryPostgres(first.url, 'create table gone (id int)');
  await first.stop();
  await removeServerData(dataDir);
  await using second = await startPostgres({ dataDir, fast: true });
  await expect(queryPostgres(second.url, 'select * from gone')).rejects.toThrow(/does not exist/);
});

test('without fsync, a commit that was answered survives a kill all the same', async () => {
  await using server = await startPostgres({ dataDir, fsync: false });
  expect(await queryPostgres(server.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
  await queryPostgres(server.url, 'create table kept (id int)');
  await server.kill();
  await server.restart();
  await expect(queryPostgres(server.url, 'select * from kept')).resolves.toEqual([]);
});

describe('when the run that started it is killed', () => {
  const program = `
    import { startNats } from ${JSON.stringify(path.resolve(import.meta.dirname, '../src/index.ts'))};
    const { pid, url } = await startNats({ dataDir: process.argv[1] });
    console.log(JSON.stringify({ pid, url }));
    setInterval(() => {}, 1_000);`;

  test('the server ends too, and the next start has its port and data', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [line] = await once(child.stdout, 'data');
    const { pid, url } = JSON.parse(String(line)) as { pid: number; url: string };
    child.kill('SIGKILL');
    await until(() => hasEnded(pid), { what: 'the end of the server' });
    await using next = await startNats({ dataDir });
    expect(next.url).toBe(url);
  });

  /** Also when nobody has reaped it yet. */
  async function hasEnded(pid: number): Promise<boolean> {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command === '';
  }
});

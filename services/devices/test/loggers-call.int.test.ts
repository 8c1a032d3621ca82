// Loggers call in over TCP, pipes lead to what is behind a device, and remote access opens, with real sockets.
import { connect, type Socket } from 'node:net';
import type { ApiCaller } from '@catchment/access';
import { freePort, until } from '@catchment/testkit';
import { newKey, TestModem } from './fakes.ts';
import { eventsOf, isConnected, main, site, startReplica, tokenOf, update, useDevices } from './running-service.ts';

useDevices();

/** This hand-written end of a connection sends and receives bytes. */
class Wire {
  readonly socket: Socket;
  received = Buffer.alloc(0);
  isClosed = false;

  constructor(port: number, host = '127.0.0.1') {
    this.socket = connect({ host, port });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.isClosed = true;
    });
    this.socket.on('data', (bytes: Buffer) => {
      this.received = Buffer.concat([this.received, bytes]);
    });
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }
  got(bytes: string | Buffer) {
    const wanted = Buffer.from(bytes);
    return until(() => this.received.includes(wanted), { what: `${wanted.toString('latin1')} comes` });
  }
  closed() {
    return until(() => this.isClosed, { what: 'the other side closes' });
  }
  end(): void {
    this.socket.destroy();
  }
}

/** @returns the first one */
async function freePortsInARow(count: number): Promise<number> {
  let row: number[] = [];
  while (row.length < count) {
    const port = await freePort();
    row = row.at(-1) === port - 1 ? [...row, port] : [port];
  }
  return row[0]!;
}

const callback = (over: Parameters<typeof site>[0] = {}, secret?: string) =>
  site({ transport: 'TcpCallback', ...over }, secret);
const connected = (who: ApiCaller, deviceId: string, is = true) =>
  until(async () => (await isConnected(who, deviceId)) === is, { what: `isConnected ${is}` });

describe('call-back loggers', () => {
  test('a logger that sends its id is connected, and its source hears of it', async () => {
    const { who, key, deviceId, source } = await callback();
    const logger = new Wire(main.callback).send(`${key}\r\n`);
    await connected(who, deviceId);
    logger.end();
    await connected(who, deviceId, false);
    await until(() => eventsOf(source).length === 2);
    expect(eventsOf(source)).toEqual([`Device ${key} connected`, `Device ${key} disconnected`]);
  });

  test('the id may come in pieces, and in a packet without an end of line', async () => {
    const { who, key, deviceId } = await callback();
    const logger = new Wire(main.callback).send(key.slice(0, 5));
    setImmediate(() => logger.send(key.slice(5)));
    await connected(who, deviceId);
    logger.end();
  });

  test('a newer connection of the same id closes the older one', async () => {
    const { who, key, deviceId } = await callback();
    const older = new Wire(main.callback).send(`${key}\n`);
    await connected(who, deviceId);
    const newer = new Wire(main.callback).send(`${key}\n`);
    await older.closed();
    expect(await isConnected(who, deviceId)).toBe(true);
    newer.end();
  });

  test('a device with a secret is not opened by its id alone', async () => {
    const { who, key, deviceId } = await callback({}, 'correct-horse');
    await new Wire(main.callback).send(`${key}\n`).closed();
    await new Wire(main.callback).send(`${key} wrong-horse\n`).closed();
    expect(await isConnected(who, deviceId)).toBe(false);
    const logger = new Wire(main.callback).send(`${key} correct-horse\n`);
    await connected(who, deviceId);
    logger.end();
  });

  test.each([
    ['an unknown id', `${newKey()}\n`],
    ['a web browser', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a TLS client on the plain port', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['64 bytes without an id', 'x'.repeat(64)],
    ['a megabyte of nonsense', Buffer.alloc(1_000_000, 0xbd)],
  ])('%s: the connection is closed, and others are served', async (_what, bytes) => {
    await new Wire(main.callback).send(bytes).closed();
    const { who, key, deviceId } = await callback();
    const logger = new Wire(main.callback).send(`${key}\n`);
    await connected(who, deviceId);
    logger.end();
  });

  test('nothing at all: the connection is closed in time, and others are served', async () => {
    const hasty = await startReplica({ SCOUT_IDENT_SECONDS: '1' });
    const silent = new Wire(main.callback);
    await new Wire(hasty.callback).closed();
    const { who, key, deviceId } = await callback();
    const logger = new Wire(main.callback).send(`${key}\n`);
    await connected(who, deviceId);
    for (const wire of [logger, silent]) wire.end();
    await hasty.stop();
  });
});

describe('remote access', () => {
  // Each test that opens a port needs its own: ports end a moment after their device has gone.
  const PORTS = 8;
  let replica: Awaited<ReturnType<typeof startReplica>>;
  beforeAll(async () => {
    const first = await freePortsInARow(PORTS);
    replica = await startReplica({ REMOTE_PORTS: `${first}-${first + PORTS - 1}` });
  });
  afterAll(() => replica.stop());

  const open = async (
    who: ApiCaller,
    nodeRef: string,
    body: object = { cidr: '127.0.0.1/32', minutes: 5 },
    on = main,
  ) => {
    const token = await tokenOf(who);
    // Any replica may be asked; the one that holds the connection opens the port.
    const { json } = await replicaClient(on).startRemote(
      { nodeRef, body: Buffer.from(JSON.stringify(body)) },
      { token },
    );
    return JSON.parse(json.toString()) as { state: string; port: number; cidr: string; endTime: string };
  };
  const replicaClient = (on: typeof main) => (on === main ? replica.client : on.client);
  const read = async (who: ApiCaller, nodeRef: string) =>
    JSON.parse((await replica.client.readRemote({ nodeRef }, { token: await tokenOf(who) })).json.toString()) as object;

  test('a client speaks with the logger through a temporary port, one at a time, until it is ended', async () => {
    const { who, key, deviceId, source } = await callback();
    const logger = new Wire(replica.callback).send(`${key}\n`);
    await connected(who, deviceId);
    const { port, ...opened } = await open(who, source.nodeId);
    expect(opened).toMatchObject({ state: 'LISTENING', cidr: '127.0.0.1/32', username: who.username });
    const client = new Wire(port).send('hello');
    await logger.got('hello');
    logger.send(Buffer.from([0xbd, 0x00, 0xff]));
    await client.got(Buffer.from([0xbd, 0x00, 0xff]));
    await until(
      async () =>
        (await read(who, source.nodeId)) &&
        ((await read(who, source.nodeId)) as { state: string }).state === 'CONNECTED',
    );
    await new Wire(port).closed();
    client.end();
    await until(async () => ((await read(who, source.nodeId)) as { state: string }).state === 'LISTENING');
    const again = new Wire(port).send('again');
    await logger.got('again');
    await replica.client.stopRemote({ nodeRef: source.nodeId }, { token: await tokenOf(who) });
    await again.closed();
    expect(await read(who, source.nodeId)).toEqual({ state: 'CLOSED' });
    expect(await isConnected(who, deviceId)).toBe(true);
    // The access is over before its event is recorded.
    await until(() => eventsOf(source).includes('Remote access closed'));
    expect(eventsOf(source)).toContain('Remote access opened to 127.0.0.1/32 for 5 minutes');
    logger.end();
  });

  test('a megabyte goes both ways whole', async () => {
    const { who, key, deviceId, source } = await callback();
    const logger = new Wire(replica.callback).send(`${key}\n`);
    await connected(who, deviceId);
    const { port } = await open(who, source.nodeId);
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, n) => (n * 7) % 251));
    const client = new Wire(port).send(bytes);
    await until(() => logger.received.length === bytes.length);
    logger.send(bytes);
    await until(() => client.received.length === bytes.length);
    expect([logger.received.equals(bytes), client.received.equals(bytes)]).toEqual([true, true]);
    client.end();
    logger.end();
  });

  test('the pipe of a Scout carries bytes in messages', async () => {
    const { who, key, deviceId, source } = await site();
    const modem = new TestModem(replica.scout).ident(key);
    await connected(who, deviceId);
    const { port } = await open(who, source.nodeId);
    const client = new Wire(port).send('ping');
    expect(await modem.next('pipe', { data: Buffer.from('ping').toString('base64') })).toBeDefined();
    modem.send({ type: 'pipe', data: Buffer.from('pong').toString('base64') });
    await client.got('pong');
    client.end();
    await modem.next('pipe', { state: 'closed' });
    modem.end();
  });

  test.each([
    [{ minutes: 5 }, 'cidr: must be an address range'],
    [{ cidr: '192.0.2.0/23', minutes: 5 }, 'cidr: must be an address range'],
    [{ cidr: '2001:db8::/119', minutes: 5 }, 'cidr: must be an address range'],
    [{ cidr: '192.2', minutes: 5 }, 'cidr: must be an address range'],
    [{ cidr: '192.0.2.1/32', minutes: 4 }, 'minutes: must be a whole number from 5 to 240'],
    [{ cidr: '192.0.2.1/32', minutes: 241 }, 'minutes: must be a whole number from 5 to 240'],
  ])('%j is refused', async (body, message) => {
    const { who, source } = await callback();
    await expect(open(who, source.nodeId, body)).rejects.toThrow(message);
  });

  test('it is refused while the device is away, is open already, or belongs to another account', async () => {
    const { who, key, deviceId, source } = await callback();
    await expect(open(who, source.nodeId)).rejects.toThrow('the device of the source is not connected');
    const logger = new Wire(replica.callback).send(`${key}\n`);
    await connected(who, deviceId);
    const other = await callback();
    await expect(open(other.who, source.nodeId)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(open({ ...who, permission: 'READ_ONLY' }, source.nodeId)).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    await open(who, source.nodeId);
    await expect(open(who, source.nodeId)).rejects.toThrow('open already');
    logger.end();
  });

  test('an address outside the range is refused', async () => {
    const { who, key, deviceId, source } = await callback();
    const logger = new Wire(replica.callback).send(`${key}\n`);
    await connected(who, deviceId);
    const { port } = await open(who, source.nodeId, { cidr: '127.0.0.2/32', minutes: 5 });
    await new Wire(port).send('hello').closed();
    expect(logger.received).toHaveLength(0);
    logger.end();
  });
});

describe('commands for a Scout', () => {
  const command = async (who: ApiCaller, deviceId: string, body: object) => {
    const { json } = await main.client.commandDevice(
      { deviceId, body: Buffer.from(JSON.stringify(body)) },
      { token: await tokenOf(who) },
    );
    return JSON.parse(json.toString()) as { _id: string };
  };

  test('a command waits for the connection, is sent until it is answered, and reported to people', async () => {
    const { who, key, deviceId, source } = await site();
    const software = {
      component: 'FIRMWARE',
      version: '2.2',
      url: 'https://example.com/f.bin',
      sha256: 'a'.repeat(64),
    };
    const { _id } = await command(who, deviceId, { command: 'UPDATE_SOFTWARE', ...software });
    const first = new TestModem(main.scout).ident(key);
    await first.next('command', { command: _id, name: 'UPDATE_SOFTWARE', ...software });
    first.end();
    const second = new TestModem(main.scout).ident(key);
    await second.next('command', { command: _id });
    second.send({ type: 'ack', command: _id });
    await until(() => eventsOf(source).includes(`Device ${key} completed command UPDATE_SOFTWARE`));
    second.end();
    const third = new TestModem(main.scout).ident(key);
    await third.next('welcome');
    const clock = await command(who, deviceId, { command: 'SET_CLOCK' });
    const { time } = await third.next('command', { command: clock._id, name: 'SET_CLOCK' });
    expect(Date.parse(String(time))).toBeGreaterThan(0);
    expect(third.received.filter(({ type }) => type === 'command')).toHaveLength(1);
    third.send({ type: 'nack', command: clock._id, message: 'no clock' });
    await until(() => eventsOf(source).includes(`Device ${key} refused command SET_CLOCK: no clock`));
    third.end();
  });

  test('at most 20 wait; other accounts and read-only keys send none', async () => {
    const { who, deviceId } = await site();
    for (let n = 0; n < 20; n += 1) await command(who, deviceId, { command: 'REBOOT' });
    await expect(command(who, deviceId, { command: 'REBOOT' })).rejects.toMatchObject({ reason: 'TOO_MANY_COMMANDS' });
    const other = await site();
    await expect(command(other.who, deviceId, { command: 'REBOOT' })).rejects.toMatchObject({ kind: 'not_found' });
    await expect(command({ ...who, permission: 'READ_ONLY' }, deviceId, { command: 'REBOOT' })).rejects.toMatchObject({
      kind: 'permission_denied',
    });
  });

  test('lines of its log from its level on are records', async () => {
    const { who, key, deviceId, source } = await site();
    await update(who, deviceId, { config: { logLevel: 'WARNING' } });
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    modem.send({ type: 'log', level: 'INFO', message: 'hidden' });
    modem.send({ type: 'log', level: 'ERROR', message: 'no signal' });
    const { historic } = await import('./running-service.ts');
    await until(() =>
      [...historic.records].some(
        ([at, value]) => at.startsWith(`${source.nodeId}/Logs - Message/`) && value === 'ERROR no signal',
      ),
    );
    expect([...historic.records.values()]).not.toContain('INFO hidden');
    modem.end();
  });
});

describe('a device is deleted', () => {
  test('not while a source names it', async () => {
    const { who, deviceId } = await site();
    const remove = async () => main.client.deleteDevice({ deviceId }, { token: await tokenOf(who) });
    await expect(remove()).rejects.toThrow('a source uses the device');
  });
});

// Messages of devices through the running service: uplinks, samples, stations, converted files.
import { connect } from 'node:net';
import { type TransportName, transportSettings } from '@catchment/contracts/transports';
import { invalid, unavailable } from '@catchment/errors';
import { CallerSigner } from '@catchment/grpc';
import { until } from '@catchment/testkit';
import { connectAsync } from 'mqtt';
import { acquisitionsBy } from './acquisition-counts.ts';
import { caller, jts, newKey, SECRET, sourceNode, TestModem, workspaceNode } from './fakes.ts';
import { eventsOf, historic, main, nodes, recordsOf, site, useDevices } from './running-service.ts';

useDevices();

const signer = new CallerSigner(SECRET);
const asGateway = async () => ({ token: await signer.sign({ kind: 'service', service: 'gateway' }) });

/** Makes a source that is found by a key. */
function sourceWith(transport: TransportName, key: string, settings: object, sourceClass = 'source.data.Jts') {
  const workspace = workspaceNode(caller().ownerId);
  const source = sourceNode(workspace, '', { class: sourceClass, transport, scheduleType: 'NONE' });
  nodes.pushes.set(`${transport} ${key}`, { source, settings: transportSettings(transport, { key, ...settings }) });
  return source;
}
const UPLINK = {
  end_device_ids: { dev_eui: '0004A30B001C0530' },
  uplink_message: { f_port: 2, f_cnt: 5, frm_payload: 'gkHe', received_at: '2020-02-12T15:15:45.789Z' },
};
const take = async (key: string, document: object, password?: string) => {
  const body = Buffer.from(JSON.stringify(document));
  const request = { key, event: '', body, address: '192.0.2.1', ...(password !== undefined && { password }) };
  return main.client.takeUplink(request, await asGateway());
};
const NETWORK = { network: 'TTS', authentication: 'NONE', ipWhitelist: [] };

test('an uplink is decoded and stored before it is answered; twice it is the same records', async () => {
  const key = newKey();
  const source = sourceWith('LorawanUpload', key, { ...NETWORK, decoder: 'code' });
  await take(key, UPLINK);
  await take(key, UPLINK);
  const at = '2020-02-12T15:15:45.789Z';
  const { nodeId } = source;
  expect(historic.records.get(`${nodeId}/first/${at}`)).toBe(0x82);
  expect(historic.records.get(`${nodeId}/Radio - Counter/${at}`)).toBe(5);
  expect(recordsOf(source)).toHaveLength(3);
});

const SESSION = {
  end_device_ids: { dev_eui: '0004A30B001C0530', dev_addr: '00BCB929' },
  uplink_message: { ...UPLINK.uplink_message, session_key_id: 'AXA50tHUGUucuzS/bCGMNw==' },
};
const at = (second: string, over: object = {}, ids: object = {}) => ({
  end_device_ids: { ...SESSION.end_device_ids, ...ids },
  uplink_message: { ...SESSION.uplink_message, received_at: `2020-02-12T15:${second}Z`, ...over },
});
const JOIN = { end_device_ids: SESSION.end_device_ids, join_accept: { session_key_id: 'other' } };
const STACK = { deviceInfo: { devEui: '0004A30B001C0530' }, devAddr: '00189440', fPort: 2, fCnt: 5, data: 'gkHe' };

test.each<[what: string, network: string, documents: readonly object[], times: readonly string[]]>([
  ['sent again by the device', 'TTS', [at('10:00'), at('10:07'), at('12:30')], ['10:00']],
  [
    'through a webhook without its payload',
    'TTS',
    [at('10:00'), at('10:01', { frm_payload: undefined, decoded_payload: { first: 1 } })],
    ['10:00'],
  ],
  ['of the next counter', 'TTS', [at('10:00'), at('10:07', { f_cnt: 6 })], ['10:00', '10:07']],
  ['of the session after a join', 'TTS', [at('10:00'), at('10:07', { session_key_id: 'other' })], ['10:00', '10:07']],
  ['after a join that names no session', 'TTS', [at('10:00'), JOIN, at('10:07')], ['10:00', '10:07']],
  [
    'of a counter that began anew without a join',
    'TTS',
    [at('10:00'), at('10:07', { frm_payload: 'gkHf' })],
    ['10:00', '10:07'],
  ],
  ['of another device', 'TTS', [at('10:00'), at('10:07', {}, { dev_eui: '0004A30B001C0531' })], ['10:00', '10:07']],
  [
    'of ChirpStack, again',
    'CHIRPSTACK',
    ['10:00', '10:07'].map((time) => ({ ...STACK, time: `2020-02-12T15:${time}Z` })),
    ['10:00'],
  ],
  [
    'of ChirpStack, of the next session',
    'CHIRPSTACK',
    ['10:00', '10:07'].map((time, n) => ({ ...STACK, devAddr: `0018944${n}`, time: `2020-02-12T15:${time}Z` })),
    ['10:00', '10:07'],
  ],
])('a frame that comes more than once is stored once: %s', async (_what, network, documents, times) => {
  const key = newKey();
  const source = sourceWith('LorawanUpload', key, { ...NETWORK, network, decoder: 'code' });
  for (const document of documents) await take(key, document);
  const stored = recordsOf(source).filter((record) => record.includes('Radio - Counter'));
  expect(stored.map((record) => record.slice(-13, -5))).toEqual(
    times.map((time) => `:${time}`.slice(1)).map((time) => `15:${time}`),
  );
});

test('a frame that could not be stored is stored when it comes again, at its first time; several at once are one', async () => {
  const key = newKey();
  const source = sourceWith('LorawanUpload', key, { ...NETWORK, decoder: 'code' });
  historic.failure = unavailable('BROKER_UNAVAILABLE');
  await expect(take(key, at('10:00'))).rejects.toMatchObject({ kind: 'unavailable' });
  historic.failure = undefined;
  await Promise.all([take(key, at('10:05')), take(key, at('10:06')), take(key, at('10:07'))]);
  expect(recordsOf(source).filter((record) => record.includes('Counter'))).toEqual([
    expect.stringContaining('2020-02-12T15:10:00.000Z'),
  ]);
});

test('a decoder that refuses raises the dataAlarm, with an event', async () => {
  const key = newKey();
  const source = sourceWith('LorawanUpload', key, { ...NETWORK, decoder: 'bad' });
  await take(key, UPLINK);
  const fault = 'Uplink could not be decoded: decoder: unknown port';
  expect(historic.faults).toContainEqual({ sourceId: source.nodeId, fault });
  await until(async () => eventsOf(source).includes(fault));
});

test('keys, passwords and callers are checked', async () => {
  const key = newKey();
  sourceWith('LorawanUpload', key, { ...NETWORK, authentication: 'BASIC', password: 'hush' });
  await expect(take('nobodys', UPLINK)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(take(key, UPLINK, 'wrong')).rejects.toMatchObject({ kind: 'unauthenticated' });
  await take(key, UPLINK, 'hush');
  const request = { key, event: '', body: Buffer.from('{}'), address: '192.0.2.1' };
  const token = await signer.sign(caller());
  await expect(main.client.takeUplink(request, { token })).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('samples of SensorLog', async () => {
  const site = `phone-${newKey()}`;
  const source = sourceWith('TcpServer', site, { siteId: site }, 'source.data.SensorLog');
  const body = Buffer.from(
    JSON.stringify({ deviceID: site, loggingTime: '2024-05-15 12:00:00.000 +0200', pressure: '1.5' }),
  );
  await main.client.takeSamples({ body, mediaType: 'application/json' }, await asGateway());
  expect(historic.records.get(`${source.nodeId}/pressure/2024-05-15T10:00:00.000Z`)).toBe(1.5);
  const nobody = Buffer.from('{"deviceID":"nobody"}');
  await expect(
    main.client.takeSamples({ body: nobody, mediaType: 'application/json' }, await asGateway()),
  ).rejects.toMatchObject({ kind: 'not_found' });
});

test('a frame of a Waspmote', async () => {
  const source = sourceWith('TcpServer', 'mote_7', { siteId: 'mote_7' }, 'source.data.Waspmote');
  const socket = connect(main.ports.TcpServer?.[0] ?? 0, '127.0.0.1');
  socket.write(
    Buffer.concat([Buffer.from('<=>'), Buffer.from([134, 2]), Buffer.from('#1#mote_7#1#TC:21.5#TST:1715774400#')]),
  );
  const stored = `${source.nodeId}/TC/2024-05-15T12:00:00.000Z`;
  await until(async () => historic.records.has(stored));
  expect(historic.records.get(stored)).toBe(21.5);
  socket.destroy();
});

test('a file of a Converter source', async () => {
  const key = newKey();
  const settings = { authentication: 'NONE', ipWhitelist: [] };
  const source = sourceWith('HttpUpload', key, settings, 'source.data.Converter');
  nodes.files.set(source.nodeId, { converterId: 'c' });
  const options = await asGateway();
  const begun = await main.client.beginPush(
    { transport: 'HttpUpload', key, fileName: 'a.bin', address: '192.0.2.1' },
    options,
  );
  const { ownerId } = begun;
  const fileId = begun.file?.fileId ?? '';
  await main.client.writeFileSegment({ fileId, index: 0, data: Buffer.from('2024-01-02T03:04:05'), ownerId }, options);
  await main.client.finishFile({ fileId, size: 19, ownerId }, options);
  const stored = `${source.nodeId}/size/2024-01-02T03:04:05.000Z`;
  await until(async () => historic.records.has(stored));
  expect(historic.records.get(stored)).toBe(19);
});

describe('what is pushed is counted by how it ended', () => {
  const AT = '2024-05-15T12:00:00.000Z';
  const pushFile = async (key: string, outcome: string) => {
    const options = await asGateway();
    const begun = { transport: 'HttpUpload', key, fileName: 'a.csv', address: '192.0.2.1' };
    const { ownerId, file } = await main.client.beginPush(begun, options);
    const fileId = file?.fileId ?? '';
    await main.client.writeFileSegment({ fileId, index: 0, data: Buffer.from('x'), ownerId }, options);
    if (outcome === 'ok') await main.client.finishFile({ fileId, size: 1, ownerId }, options);
    await main.client.abandonFile({ fileId, ownerId, isRefused: outcome === 'refused' }, options);
  };

  test.each<[TransportName, outcomes: readonly string[], open: () => Promise<(outcome: string) => Promise<unknown>>]>([
    [
      'LorawanUpload',
      ['ok', 'refused', 'failed'],
      async () => {
        const key = newKey();
        sourceWith('LorawanUpload', key, { ...NETWORK, decoder: 'code' });
        let counter = 0;
        return () => {
          counter += 1;
          return take(key, at('10:00', { f_cnt: counter }));
        };
      },
    ],
    [
      'TcpServer',
      ['ok', 'refused', 'failed'],
      async () => {
        const deviceID = `phone-${newKey()}`;
        sourceWith('TcpServer', deviceID, { siteId: deviceID }, 'source.data.SensorLog');
        const body = Buffer.from(JSON.stringify({ deviceID, loggingTime: AT, pressure: '1.5' }));
        return async () => main.client.takeSamples({ body, mediaType: 'application/json' }, await asGateway());
      },
    ],
    [
      'Scout',
      ['ok', 'refused', 'failed'],
      async () => {
        const { key } = await site();
        return async (outcome) => {
          const modem = new TestModem(main.scout).ident(key);
          await modem.next('welcome');
          modem.data(1, AT, 1);
          await modem.next(outcome === 'ok' ? 'ack' : outcome === 'refused' ? 'nack' : 'busy');
          modem.end();
        };
      },
    ],
    [
      'Mqtt',
      // An acquisition that only failed is tried again, and has not ended.
      ['ok', 'refused'],
      async () => {
        const username = newKey();
        nodes.mqtt.set(username, { source: sourceNode(workspaceNode(caller().ownerId), ''), settings: {} });
        return async () => {
          const client = await connectAsync(`mqtt://127.0.0.1:${main.ports.Mqtt?.[0]}`, { username });
          await client.publishAsync('data', JSON.stringify(jts(AT, 1)), { qos: 1 });
          await client.endAsync(true);
        };
      },
    ],
    [
      'HttpUpload',
      ['ok', 'refused', 'failed'],
      async () => {
        const key = newKey();
        sourceWith('HttpUpload', key, { authentication: 'NONE', ipWhitelist: [] }, 'source.data.TextParser');
        return (outcome) => pushFile(key, outcome);
      },
    ],
  ])('by %s', async (transport, outcomes, open) => {
    const push = await open();
    const before = await acquisitionsBy(transport);
    for (const outcome of outcomes) {
      historic.failure = undefined;
      if (outcome === 'refused') historic.failure = invalid('INVALID_ARGUMENT', 'data: is wrong');
      if (outcome === 'failed') historic.failure = unavailable('PEER_UNAVAILABLE');
      await push(outcome).catch(() => {});
    }
    const after = await acquisitionsBy(transport);
    const more = outcomes.map((outcome) => [outcome, (after[outcome] ?? 0) - (before[outcome] ?? 0)]);
    expect(Object.fromEntries(more)).toEqual(Object.fromEntries(outcomes.map((outcome) => [outcome, 1])));
  });
});

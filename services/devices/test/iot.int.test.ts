// Messages of devices through the running service: uplinks, samples, stations, converted files.
import { connect } from 'node:net';
import { type TransportName, transportSettings } from '@catchment/contracts/transports';
import { CallerSigner } from '@catchment/grpc';
import { until } from '@catchment/testkit';
import { caller, newKey, SECRET, sourceNode, workspaceNode } from './fakes.ts';
import { eventsOf, historic, main, nodes, recordsOf } from './running-service.ts';

const signer = new CallerSigner(SECRET);
const asGateway = async () => ({ token: await signer.sign({ kind: 'service', service: 'gateway' }) });

/** A source that is found by a key. */
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

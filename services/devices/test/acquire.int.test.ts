// The running service has sessions: sources come by the bus, acquire now by its call, control values by the bus and back.
import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { ControlEnded, DeviceCallDue, SourceChanged } from '@catchment/contracts/devices';
import { ControlChanged } from '@catchment/contracts/nodes-messages';
import { newObjectId } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { caller, newKey, sourceNode, TestModem, workspaceNode } from './fakes.ts';
import {
  bus,
  changed,
  database,
  deleted,
  drivers,
  events,
  historic,
  list,
  main,
  nodes,
  tokenOf,
  update,
  useDevices,
} from './running-service.ts';

useDevices();

// The file is there before the service starts.
drivers.files.push({
  name: 'FtpDownload',
  target: () => 'data.example:21',
  connect: async () => ({ files: async function* () {}, read: async function* () {}, close: async () => {} }),
});
drivers.pipes.push({
  name: 'TcpClient',
  target: () => 'logger.example:6785',
  connect: async () => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }),
});
drivers.loggers.push({
  sourceClass: 'source.data.CampbellPakBus',
  run: async (_pipe, { controls, progress }) => {
    await progress.step('CONTROLLING');
    for (const control of controls) await progress.controlled(control);
  },
});

const shown: SourceChanged[] = [];
const ended: ControlEnded[] = [];
beforeAll(() => {
  bus.readDomain('nodes-devices', async (messages) => {
    for (const { subject, data } of messages) {
      if (subject === 'devices.source.changed.v1') shown.push(SourceChanged.decode(data));
      if (subject === 'devices.control.ended.v1') ended.push(ControlEnded.decode(data));
    }
  });
});

async function made(transportClass: string, name: string, key = '') {
  const who = caller();
  const workspace = workspaceNode(who.ownerId);
  const node = sourceNode(workspace, key, { class: name, scheduleType: 'NONE' });
  if (!node.source) throw new Error('no source');
  const source = { ...node, source: { ...node.source, transportClass } };
  nodes.nodes.push(workspace, source);
  await changed(source);
  return { who, source };
}
const rows = async (sourceId: string) =>
  (await database.query(`SELECT * FROM devices.acquisitions WHERE source_id = '${sourceId}' AND NOT is_deleted`))
    .length;
const statuses = (sourceId: string) =>
  shown.filter((update) => update.sourceId === sourceId).map(({ status }) => status);

test('acquire now is a session, reported on the bus; a source that is deleted is forgotten', async () => {
  const { who, source } = await made('FtpDownload', 'source.data.TextParser');
  await main.client.acquire({ nodeRef: source.nodeId }, { token: await tokenOf(who) });
  await until(() => statuses(source.nodeId).at(-1) === 'REST', { what: 'the session is over' });
  expect(statuses(source.nodeId)).toEqual(['QUEUED', 'CONNECTING', 'DOWNLOADING', 'REST']);
  const reported = () => events.filter((event) => event.nodeId === source.nodeId).map(({ message }) => message);
  await until(() => reported().length === 2);
  expect(reported()).toEqual(['Acquire requested', 'Connecting to data.example:21']);
  await deleted(source);
  await until(async () => (await rows(source.nodeId)) === 0, { what: 'it is forgotten' });
});

test('a logger that calls in gets a session at once; while it is away it cannot be asked', async () => {
  const key = newKey();
  const { who, source } = await made('TcpCallback', 'source.data.CampbellPakBus', key);
  const token = await tokenOf(who);
  await expect(main.client.acquire({ nodeRef: source.nodeId }, { token })).rejects.toMatchObject({
    reason: 'DEVICE_NOT_CONNECTED',
  });
  await until(async () => (await rows(source.nodeId)) === 1, { what: 'it is known' });
  await until(async () => (await list(who)).devices.length === 1, { what: 'its device is made' });
  const socket = connect({ host: '127.0.0.1', port: main.callback });
  socket.write(`${key}\r\n`);
  await until(() => statuses(source.nodeId).at(-1) === 'REST', { what: 'the session is over' });
  expect(statuses(source.nodeId)).toEqual(['QUEUED', 'CONNECTING', 'CONTROLLING', 'REST']);
  await main.client.acquire({ nodeRef: source.nodeId }, { token });
  await until(() => statuses(source.nodeId).length === 8, { what: 'so is the one that was asked for' });
  socket.destroy();
});

test('a Scout that is away is called by SMS where it has a number, once in a while; its session begins when it connects', async () => {
  const called: DeviceCallDue[] = [];
  const reader = bus.readQueue('nodes-calls', async ({ data }) => void called.push(DeviceCallDue.decode(data)));
  const key = newKey();
  const { who, source } = await made('Scout', 'source.data.CampbellPakBus', key);
  const token = await tokenOf(who);
  const device = await until(async () => (await list(who)).devices[0], { what: 'its device is made' });
  const acquire = () => main.client.acquire({ nodeRef: source.nodeId }, { token });
  await acquire();
  await update(who, String(device._id), { phoneNumber: '+4512345678' });
  await acquire();
  await acquire();
  await until(() => called.length > 0, { what: 'it is called' });
  expect(called).toMatchObject([
    {
      ownerId: who.ownerId,
      workspaceId: source.workspaceId,
      sourceId: source.nodeId,
      deviceKey: key,
      sourceClass: 'source.data.CampbellPakBus',
      phoneNumber: '+4512345678',
    },
  ]);
  expect(statuses(source.nodeId)).toEqual([]);
  const modem = new TestModem(main.scout).ident(key);
  await until(() => statuses(source.nodeId).at(-1) === 'REST', { what: 'the session is over' });
  expect(statuses(source.nodeId)).toEqual(['QUEUED', 'CONNECTING', 'CONTROLLING', 'REST']);
  await acquire();
  await until(() => statuses(source.nodeId).length === 8, { what: 'while it is connected, it is asked at once' });
  modem.end();
  await reader.stop();
  expect(called).toHaveLength(1);
});

test.each([
  ['READ_ONLY', { permission: 'READ_ONLY' }],
  ['of another account', { ownerId: newObjectId() }],
] as const)('acquire now is refused to a caller who is %s', async (_what, over) => {
  const { who, source } = await made('FtpDownload', 'source.data.TextParser');
  const token = await tokenOf({ ...who, ...over });
  await expect(main.client.acquire({ nodeRef: source.nodeId }, { token })).rejects.toMatchObject({
    kind: 'ownerId' in over ? 'not_found' : 'permission_denied',
  });
});

test('a control value comes by the bus, is sent, and reported to be done', async () => {
  const { source } = await made('TcpClient', 'source.data.CampbellPakBus');
  const nodeId = newObjectId();
  const control = ControlChanged.fromPartial({
    ownerId: source.ownerId,
    workspaceId: source.workspaceId,
    sourceId: source.nodeId,
    nodeId,
    revision: 4,
    value: '2.5',
    series: 'Public.gate',
    name: 'Gate',
    family: 'NUMBER',
    username: 'a',
    timeMs: Date.now(),
  });
  await bus.publish('nodes.control.changed.v1', ControlChanged.encode(control).finish(), { msgId: newObjectId() });
  await until(() => ended.length === 1, { what: 'it is done' });
  expect(ended).toMatchObject([{ nodeId, revision: 4, failure: '' }]);
  const [write] = historic.writes.filter((write) => write.nodeRef === source.nodeId);
  expect(JSON.parse(String(write?.body))).toMatchObject({
    header: { columns: { 0: { id: nodeId } } },
    data: [{ f: { 0: { v: 2.5 } } }],
  });
  const reported = () => events.filter((event) => event.nodeId === nodeId);
  await until(() => reported().length > 0, { what: 'its event is reported' });
  expect(reported()).toMatchObject([
    { message: "Control 'Gate' completed", eventType: 'CONTROL', nodeClass: 'point.NumberControlPoint' },
  ]);
});

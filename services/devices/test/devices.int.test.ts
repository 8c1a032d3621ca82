import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { AttemptEnded, AttemptKind } from '@catchment/contracts/alarms';
import { DomainError, invalid, unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { freePort, until } from '@catchment/testkit';
import { caller, jts, newKey, sourceNode, TestModem, workspaceNode } from './fakes.ts';
import {
  bus,
  changed,
  create,
  deleted,
  env,
  eventsOf,
  get,
  historic,
  isConnected,
  list,
  main,
  nodes,
  recordsOf,
  site,
  startReplica,
  update,
  useDevices,
  writesOf,
} from './running-service.ts';

useDevices();

describe('registry', () => {
  const who = caller();
  const workspace = workspaceNode(who.ownerId, { customId: 'site-1' });
  beforeAll(() => void nodes.nodes.push(workspace, sourceNode(workspace, '', { customId: 'no-workspace' })));

  test('a device is created with defaults, a generated number and masked secrets', async () => {
    const device = await create(who, {
      workspaceId: '@site-1',
      secret: 'correct horse',
      config: { apn: { pass: 'p' }, simPin: '1234', schedule: { statusIntervalSeconds: 30 } },
      unknownAttribute: 1,
    });
    expect(device).toMatchObject({
      _class: 'io.svc.models.device.ScoutDevice',
      deviceKey: expect.stringMatching(/^\d{12}$/),
      workspaceId: workspace.nodeId,
      isConnected: false,
      isOutOfDate: true,
      secret: '********',
      config: {
        utcOffset: '+00:00',
        simPin: '********',
        schedule: { scheduleType: 'SERVER', statusIntervalSeconds: 30, dataIntervalSeconds: 3600 },
        interfaces: { COM1: { speed: 9600, _class: 'io.svc.models.device.config.SerialInterface' } },
        apn: { host: '', user: '', pass: '********' },
      },
    });
    expect(await get(who, String(device._id))).toEqual(device);
    expect(await get(who, String(device._id), 'deviceKey,config.logLevel')).toEqual({
      deviceKey: device.deviceKey,
      config: { logLevel: 'INFO' },
    });
  });

  test('a class Device has no config', async () => {
    const device = await create(who, { _class: 'io.svc.models.device.Device', workspaceId: workspace.nodeId });
    expect(device).toMatchObject({ _class: 'io.svc.models.device.Device' });
    expect(device).not.toHaveProperty('config');
  });

  test.each([
    ['no JSON', Buffer.from('{'), /body/],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), /body/],
    ['an array', [], /body/],
    ['no workspace', {}, /workspaceId/],
    ['a workspace that is no reference', { workspaceId: 7 }, /workspaceId/],
    ['a node that is no workspace', { workspaceId: '@no-workspace' }, /workspaceId: must be a Workspace/],
    ['an unknown class', { _class: 'io.svc.models.device.Toaster' }, /_class/],
    ['config on a Device', { _class: 'Device', config: {} }, /config/],
    ['a short key', { deviceKey: '123' }, /deviceKey/],
    ['a numeric key', { deviceKey: 123456789012 }, /deviceKey/],
    ['a phone number without +', { phoneNumber: '0211234567' }, /phoneNumber/],
    ['a short secret', { secret: 'short' }, /secret/],
    ['a config that is no object', { config: [] }, /config: must be an object/],
    [
      'a wrong interval',
      { config: { schedule: { statusIntervalSeconds: 0 } } },
      /config\.schedule\.statusIntervalSeconds/,
    ],
    [
      'an offset over the interval',
      { config: { schedule: { dataIntervalSeconds: 60, dataIntervalOffsetSeconds: 60 } } },
      /dataIntervalOffsetSeconds/,
    ],
    ['a wrong schedule', { config: { schedule: { scheduleType: 'DAILY' } } }, /config\.schedule\.scheduleType/],
    ['a wrong level', { config: { logLevel: 1 } }, /config\.logLevel/],
    ['a wrong offset', { config: { utcOffset: '1' } }, /config\.utcOffset/],
    ['a wrong speed', { config: { interfaces: { COM1: { speed: 1000 } } } }, /config\.interfaces\.COM1\.speed/],
    [
      'a wrong address',
      { config: { interfaces: { ETH0: { gateway: '1.2.3' } } } },
      /config\.interfaces\.ETH0\.gateway/,
    ],
    ['an interface without class', { config: { interfaces: { COM2: {} } } }, /config\.interfaces\.COM2\._class/],
    ['a wrong port', { config: { connection: { port: 70000 } } }, /config\.connection\.port/],
    ['a wrong flag', { config: { gpsEnabled: 'yes' } }, /config\.gpsEnabled/],
  ])('refuses %s and stores nothing', async (_what, body, message) => {
    const before = (await list(who)).devices.length;
    const whole =
      Buffer.isBuffer(body) || Array.isArray(body) || _what === 'no workspace'
        ? body
        : { workspaceId: workspace.nodeId, ...body };
    await expect(create(who, whole)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringMatching(message),
    });
    expect((await list(who)).devices).toHaveLength(before);
  });

  test.each([
    ['a READ_ONLY key', { permission: 'READ_ONLY' } as const],
    ['a key of limited workspaces', { accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspace.nodeId] } as const],
  ])('%s may not create', async (_what, over) => {
    await expect(create({ ...who, ...over }, { workspaceId: workspace.nodeId })).rejects.toMatchObject({
      kind: 'permission_denied',
    });
  });

  test('who may change a device: MODIFY, within the own workspaces, with CONFIGURE', async () => {
    const { who: owner, deviceId, workspace: own } = await site();
    const change = { phoneNumber: '+4512345678' };
    const denied = { kind: 'permission_denied' };
    const grants = (...permissions: string[]) => [{ permissions, workspaceIds: [own.nodeId] }];
    await expect(update({ ...owner, permission: 'READ_ONLY' }, deviceId, change)).rejects.toMatchObject(denied);
    const limited = (workspaceId: string) =>
      ({ ...owner, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspaceId] }) as const;
    await expect(update(limited(newObjectId()), deviceId, change)).rejects.toMatchObject(denied);
    await expect(update({ ...owner, rights: { grants: grants('VIEW') } }, deviceId, change)).rejects.toMatchObject(
      denied,
    );
    await expect(update(caller(), deviceId, change)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await get(owner, deviceId)).not.toHaveProperty('phoneNumber');
    expect(await update(limited(own.nodeId), deviceId, change)).toMatchObject(change);
    const builder = { ...owner, rights: { grants: grants('VIEW', 'CONFIGURE') } };
    expect(await update(builder, deviceId, { phoneNumber: null })).not.toHaveProperty('phoneNumber');
  });

  test('a changed configuration reaches a modem that is connected', async () => {
    const { who: owner, deviceId, key } = await site();
    const modem = new TestModem(main.scout).ident(key);
    const { revision } = await modem.next('config');
    await update(owner, deviceId, { config: { logLevel: 'DEBUG' } });
    expect(await modem.next('config', { revision: (revision as number) + 1 })).toMatchObject({
      config: { logLevel: 'DEBUG' },
    });
    modem.end();
  });

  test('a configuration that the modem refuses raises the configurationAlarm of its source; the next one that it takes clears it', async () => {
    const attempts: AttemptEnded[] = [];
    const reader = bus.readDomain('alarms-attempts', async (messages) => {
      for (const { data } of messages) attempts.push(AttemptEnded.decode(data));
    });
    const { who: owner, deviceId, key, source } = await site();
    const reported = () => attempts.filter(({ sourceId }) => sourceId === source.nodeId);
    const modem = new TestModem(main.scout).ident(key);
    const { revision } = await modem.next('config');
    modem.send({ type: 'nack', revision: (revision as number) + 7, message: 'of none' });
    for (const message of ['no such port', 'again']) modem.send({ type: 'nack', revision, message });
    await until(() => reported().length > 0, { what: 'the refusal is reported' });
    await update(owner, deviceId, { config: { logLevel: 'DEBUG' } });
    const next = await modem.next('config', { revision: (revision as number) + 1 });
    modem.send({ type: 'ack', revision: next.revision });
    await until(() => reported().length > 1, { what: 'its end is reported' });
    const kind = AttemptKind.ATTEMPT_KIND_CONFIGURATION;
    expect(reported()).toMatchObject([
      { kind, nodeId: source.nodeId, failure: `modem ${key} refused its configuration: no such port` },
      { kind, nodeId: source.nodeId, failure: '' },
    ]);
    modem.end();
    await reader.stop();
  });

  test('a workspace of another account is not found', async () => {
    const theirs = workspaceNode(newObjectId());
    nodes.nodes.push(theirs);
    await expect(create(who, { workspaceId: theirs.nodeId })).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('lists are narrowed to account and workspaces, filtered, sorted and cut', async () => {
    const owner = caller();
    const [east, west] = [workspaceNode(owner.ownerId), workspaceNode(owner.ownerId)];
    nodes.nodes.push(east, west);
    const keys = ['100000000001', '100000000002', '100000000003'].map(() => newKey()).sort();
    for (const [i, deviceKey] of keys.entries()) {
      const config = { schedule: { statusIntervalSeconds: 10 * (i + 1) } };
      await create(owner, { deviceKey, workspaceId: (i === 2 ? west : east).nodeId, config });
    }
    const found = async (request: Parameters<typeof list>[1], as = owner) =>
      (await list(as, request)).devices.map((device) => keys.indexOf(String(device.deviceKey)));
    expect(await found({})).toEqual([0, 1, 2]);
    expect(await found({ sort: 'deviceKey(DESC)', limit: 2 })).toEqual([2, 1]);
    expect(await found({ skip: 1, limit: 1 })).toEqual([1]);
    expect(await found({ limit: 0 })).toEqual([]);
    expect(await found({ filter: 'config.schedule.statusIntervalSeconds($gt:10)' })).toEqual([1, 2]);
    nodes.nodes[nodes.nodes.indexOf(west)] = { ...west, customId: 'second' };
    expect(await found({ filter: 'workspaceId($eq:@second)' })).toEqual([2]);
    expect(await found({ filter: 'workspaceId($ne:@second)' })).toEqual([0, 1]);
    expect(await found({ filter: 'workspaceId($eq:@nobody)|workspaceId($ne:@nobody)' })).toEqual([]);
    expect(await found({ filter: '_class($match:Scout),isConnected($eq:false)' })).toEqual([0, 1, 2]);
    expect(await found({ filter: 'config.interfaces.COM1._class($match:models.device.config.Serial)' })).toEqual([
      0, 1, 2,
    ]);
    const limited = caller({
      ownerId: owner.ownerId,
      accessLevel: 'LIMITED_WORKSPACES',
      workspaceIds: [west.nodeId],
    });
    expect(await found({}, limited)).toEqual([2]);
    expect(await found({}, caller())).toEqual([]);
    const [first] = (await list(owner)).devices;
    await expect(get(limited, String(first?._id))).rejects.toMatchObject({ kind: 'permission_denied' });
    await expect(get(caller(), String(first?._id))).rejects.toMatchObject({ kind: 'not_found' });
    await expect(get(owner, 'no-id')).rejects.toMatchObject({ kind: 'not_found' });
    expect((await list(owner, { attr: '_id', limit: 1 })).devices).toEqual([{ _id: first?._id }]);
  });

  test('a workspace user sees those of the own workspaces, but for sources that are closed', async () => {
    const { who, deviceId, source } = await site();
    const grant = (...permissions: string[]) => ({
      permissions: ['VIEW', ...permissions],
      workspaceIds: [source.workspaceId],
    });
    const user = caller({ ownerId: who.ownerId, accessLevel: 'WORKSPACES', rights: { grants: [grant()] } });
    const cutOff = { ...user, rights: { ...user.rights!, closedAsOfMs: 1 } };
    nodes.closed.push(source.nodeId);
    expect((await list(user)).devices).toHaveLength(1);
    expect(await get(user, deviceId)).toMatchObject({ _id: deviceId });
    expect((await list(cutOff)).devices).toEqual([]);
    await expect(get(cutOff, deviceId)).rejects.toMatchObject({ kind: 'not_found' });
    const nowhere = { ...user, rights: { grants: [] } };
    expect((await list(nowhere)).devices).toEqual([]);
    await expect(get(nowhere, deviceId)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(create(user, { workspaceId: source.workspaceId })).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    const builder = { ...user, rights: { grants: [grant('CONFIGURE')] } };
    expect(await create(builder, { workspaceId: source.workspaceId })).toMatchObject({
      workspaceId: source.workspaceId,
    });
  });

  test.each([
    ['a limit over 50000', { limit: 50_001 }],
    ['a broken filter', { filter: 'deviceKey' }],
    ['a filter on simPin', { filter: 'config.simPin($eq:1)' }],
    ['a filter on apn.pass', { filter: 'config.apn.pass($eq:1)' }],
    ['a filter on the secret', { filter: 'secret($eq:1)' }],
    ['a sort by a secret', { sort: 'config.simPin' }],
    ['a broken sort', { sort: 'deviceKey(UP)' }],
  ])('refuses %s', async (_what, request) => {
    await expect(list(who, request)).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test('the revision of a list changes with what it shows', async () => {
    const { who: owner, key, deviceId } = await site();
    const revisions = [];
    for (const change of [
      {},
      { phoneNumber: '+4512345678' },
      { config: { logLevel: 'DEBUG' } },
      { secret: 'a secret' },
    ]) {
      await update(owner, deviceId, change);
      revisions.push((await list(owner)).revision);
    }
    expect(new Set(revisions).size).toBe(4);
    await update(owner, deviceId, { secret: null });
    const before = (await list(owner)).revision;
    expect((await list(owner)).revision).toBe(before);
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    expect((await list(owner)).revision).not.toBe(before);
    modem.end();
    await until(async () => !(await isConnected(owner, deviceId)));
  });
});

describe('sources', () => {
  test('a new key makes a ScoutDevice in the workspace of its source; the schedule follows the source', async () => {
    const { who, workspace, deviceId, key } = await site({ scheduleType: 'REMOTE' });
    expect(await get(who, deviceId)).toMatchObject({
      deviceKey: key,
      workspaceId: workspace.nodeId,
      config: { schedule: { scheduleType: 'REMOTE' } },
    });
  });

  test('a device of another workspace is left alone, and the source gets a warning', async () => {
    const { who, key, deviceId, source } = await site();
    const elsewhere = sourceNode(workspaceNode(who.ownerId), key);
    await changed(elsewhere);
    await until(() => eventsOf(elsewhere).length > 0);
    expect(eventsOf(elsewhere)).toEqual([`Device ${key} is not available to this source`]);
    expect(await get(who, deviceId)).toMatchObject({ datasourceId: source.nodeId, workspaceId: source.workspaceId });
  });

  test('sources share a device: the oldest is shown, and another one after it is gone', async () => {
    const { who, workspace, key, deviceId, source } = await site();
    const younger = sourceNode(workspace, key, { name: 'Second' });
    await changed(younger);
    await deleted(source);
    await until(async () => (await get(who, deviceId)).datasourceId === younger.nodeId);
  });

  test('a source that is gone leaves the device without one, and a late message does not revive it', async () => {
    const { who, deviceId, source, key } = await site();
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    await deleted(source);
    await until(async () => !('datasourceId' in (await get(who, deviceId))));
    await modem.closed();
    expect(modem.received.at(-1)).toMatchObject({ type: 'error', code: 'UNASSIGNED' });
    await changed({ ...source, revision: 99 });
    const last = await site();
    expect(last.deviceId).toBeTruthy();
    expect(await get(who, deviceId)).not.toHaveProperty('datasourceId');
  });

  test('a device goes along when its source moves, and has no workspace when that is deleted', async () => {
    const { who, deviceId, source } = await site();
    const next = workspaceNode(who.ownerId);
    await changed({ ...source, workspaceId: next.nodeId, revision: 2 });
    await until(async () => (await get(who, deviceId)).workspaceId === next.nodeId);
    await changed({ ...source, revision: 1 });
    await deleted(next, source);
    await until(async () => !('workspaceId' in (await get(who, deviceId))));
  });

  test('at the start, sources that were missed are found and those that are gone are forgotten', async () => {
    const { who, deviceId, source } = await site();
    nodes.nodes.splice(nodes.nodes.indexOf(source), 1);
    const workspace = workspaceNode(who.ownerId);
    const missed = sourceNode(workspace, newKey());
    nodes.nodes.push(missed);
    const second = await startReplica();
    await until(async () => (await list(who)).devices.some((device) => device.datasourceId === missed.nodeId));
    await until(async () => !('datasourceId' in (await get(who, deviceId))));
    await second.stop();
    nodes.nodes.splice(nodes.nodes.indexOf(missed), 1);
  });
});

describe('modems', () => {
  test('an accepted modem is shown connected with its software, and disconnected after its end', async () => {
    const { who, deviceId, key, source } = await site();
    const modem = new TestModem(main.scout).ident(key);
    expect(await modem.next('welcome')).toMatchObject({
      ackedSeq: 0,
      statusIntervalSeconds: 600,
      time: expect.any(String),
    });
    expect(await get(who, deviceId)).toMatchObject({
      isConnected: true,
      lastConnected: expect.any(String),
      software: { appVersion: '2.1' },
    });
    modem.end();
    await until(async () => !(await isConnected(who, deviceId)));
    await until(() => eventsOf(source).length === 2);
    expect(eventsOf(source)).toEqual([`Device ${key} connected`, `Device ${key} disconnected`]);
  });

  test('the configuration is sent until the modem confirms it', async () => {
    const { who, deviceId, key } = await site();
    const first = new TestModem(main.scout).ident(key);
    const { revision } = await first.next('config');
    expect(await get(who, deviceId)).toMatchObject({ isOutOfDate: true });
    first.send({ type: 'ack', revision });
    await until(async () => (await get(who, deviceId)).isOutOfDate === (false as never));
    first.end();
    const second = new TestModem(main.scout).ident(key);
    await second.next('welcome');
    second.data(1, '2026-01-01T00:00:00.000Z', 1);
    await second.next('ack', { seq: 1 });
    expect(second.received.map((message) => message.type)).not.toContain('config');
    second.end();
  });

  test.each([
    ['an unknown key', { type: 'ident', deviceKey: '999999999999' }, 'REFUSED'],
    ['no identification', { type: 'data', seq: 1 }, 'BAD_IDENT'],
    ['garbage', '%%%', 'BAD_IDENT'],
    ['a key that is none', { type: 'ident', deviceKey: 'abc' }, 'BAD_IDENT'],
    ['an identification over 4 KiB', { type: 'ident', deviceKey: '999999999999', x: 'x'.repeat(5_000) }, 'BAD_IDENT'],
  ])('%s is refused and the connection closed', async (_what, line, code) => {
    const modem = new TestModem(main.scout);
    modem.send(line);
    expect(await modem.next('error')).toMatchObject({ code });
    await modem.closed();
  });

  test('a modem that does not identify itself in time is closed', async () => {
    const replica = await startReplica({ SCOUT_IDENT_SECONDS: '1' });
    const modem = new TestModem(replica.scout);
    modem.socket.write('{"type":"id');
    expect(await modem.next('error')).toMatchObject({ code: 'TIMEOUT' });
    await modem.closed();
    await replica.stop();
  });

  test('a device with a secret is accepted with it only; an unassigned one not at all', async () => {
    const { key, who, workspace } = await site({}, 'correct horse');
    for (const over of [{}, { secret: 'wrong horse!' }, { secret: 7 }]) {
      const modem = new TestModem(main.scout).ident(key, over);
      expect(await modem.next('error')).toMatchObject({ code: expect.stringMatching(/REFUSED|BAD_IDENT/) });
    }
    for (let i = 0; i < 2; i += 1) {
      const right = new TestModem(main.scout).ident(key, { secret: 'correct horse' });
      await right.next('welcome');
      right.end();
    }
    const spare = await create(who, { workspaceId: workspace.nodeId });
    const modem = new TestModem(main.scout).ident(String(spare.deviceKey));
    expect(await modem.next('error')).toMatchObject({ code: 'REFUSED' });
  });

  test('failed identifications of one address are limited', async () => {
    const replica = await startReplica({ SCOUT_MAX_FAILURES: '2' });
    for (const code of ['BAD_IDENT', 'BAD_IDENT', 'TOO_MANY_FAILURES']) {
      const modem = new TestModem(replica.scout);
      modem.send('no');
      expect(await modem.next('error')).toMatchObject({ code });
    }
    await replica.stop();
  });

  test('connections are limited', async () => {
    const replica = await startReplica({ SCOUT_MAX_CONNECTIONS_PER_ADDRESS: '1' });
    const first = new TestModem(replica.scout);
    await until(() => first.socket.readyState === 'open');
    const second = new TestModem(replica.scout);
    expect(await second.next('error')).toMatchObject({ code: 'TOO_MANY_CONNECTIONS' });
    first.end();
    await replica.stop();
  });

  test('the newer of two connections with one key wins, also on another replica', async () => {
    const { key, deviceId, who, source } = await site();
    const replica = await startReplica();
    const modems: TestModem[] = [];
    for (const port of [main.scout, main.scout, replica.scout, main.scout]) {
      const modem = new TestModem(port).ident(key);
      await modem.next('welcome');
      const before = modems.at(-1);
      if (before) {
        expect(await before.next('error')).toMatchObject({ code: 'REPLACED' });
        await before.closed();
      }
      modems.push(modem);
    }
    expect(await isConnected(who, deviceId)).toBe(true);
    modems.at(-1)?.end();
    await until(async () => !(await isConnected(who, deviceId)));
    await until(() => eventsOf(source).length === 8);
    await replica.stop();
  });
});

describe('data', () => {
  test('is acknowledged when the log has it; sent again after a lost ack it is not written again', async () => {
    const { key, source } = await site();
    const session = 'boot-1';
    const first = new TestModem(main.scout).ident(key, { session });
    await first.next('welcome');
    first.data(1, '2026-01-01T00:00:00.000Z', 1);
    await first.next('ack', { seq: 1 });
    first.end();
    const second = new TestModem(main.scout).ident(key, { session });
    expect(await second.next('welcome')).toMatchObject({ ackedSeq: 1 });
    second.data(1, '2026-01-01T00:00:00.000Z', 1);
    await second.next('ack', { seq: 1 });
    second.data(2, '2026-01-01T00:01:00.000Z', 2);
    await second.next('ack', { seq: 2 });
    second.end();
    expect(writesOf(source)).toHaveLength(2);
    expect(recordsOf(source)).toHaveLength(2);
    expect(writesOf(source)[0]).toMatchObject({
      ownerId: source.ownerId,
      notifyOn: 'ALL_NEWER',
      origin: `modem ${key}`,
    });
    // The count begins anew after a power cut without memory: the same numbers are new messages.
    const third = new TestModem(main.scout).ident(key, { session: 'boot-2' });
    expect(await third.next('welcome')).toMatchObject({ ackedSeq: 0 });
    third.data(1, '2026-01-01T00:02:00.000Z', 3);
    await third.next('ack', { seq: 1 });
    third.end();
    expect(recordsOf(source)).toHaveLength(3);
  });

  test('a connection that broke between log and ack doubles no record', async () => {
    const { key, source } = await site();
    const gate = Promise.withResolvers<void>();
    historic.gate = gate.promise;
    const first = new TestModem(main.scout).ident(key, { session: 's' });
    await first.next('welcome');
    first.data(1, '2026-01-01T00:00:00.000Z', 1);
    await until(() => writesOf(source).length === 1);
    first.end();
    const second = new TestModem(main.scout).ident(key, { session: 's' });
    await second.next('welcome');
    second.data(1, '2026-01-01T00:00:00.000Z', 1);
    gate.resolve();
    await second.next('ack', { seq: 1 });
    second.end();
    expect(writesOf(source)).toHaveLength(2);
    expect(recordsOf(source)).toHaveLength(1);
  });

  test.each([
    ['away', unavailable('PEER_UNAVAILABLE')],
    ['too slow', new DomainError('deadline_exceeded', 'DEADLINE_EXCEEDED', 'slow')],
    ['broken', new DomainError('internal', 'INTERNAL', 'bug')],
  ])('historic %s: busy, nothing acknowledged, and nothing overtakes', async (_what, failure) => {
    const { key, source } = await site();
    historic.failure = failure;
    const modem = new TestModem(main.scout).ident(key, { session: 's' });
    await modem.next('welcome');
    modem.data(1, '2026-01-01T00:00:00.000Z', 1);
    expect(await modem.next('busy', { seq: 1 })).toMatchObject({ retryAfterSeconds: 30 });
    historic.failure = undefined;
    modem.data(2, '2026-01-01T00:01:00.000Z', 2);
    await modem.next('busy', { seq: 2 });
    modem.data(1, '2026-01-01T00:00:00.000Z', 1);
    await modem.next('ack', { seq: 1 });
    modem.data(2, '2026-01-01T00:01:00.000Z', 2);
    await modem.next('ack', { seq: 2 });
    modem.end();
    expect(recordsOf(source)).toHaveLength(2);
  });

  test('a document that can never be stored is refused with the reason, and an event reports it', async () => {
    const { key, source } = await site();
    historic.failure = invalid('INVALID_ARGUMENT', 'data[0].ts: must be a timestamp');
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    modem.data(1, 'x', 1);
    expect(await modem.next('nack', { seq: 1 })).toMatchObject({ message: 'data[0].ts: must be a timestamp' });
    await until(() => eventsOf(source).includes(`Refused data from modem ${key}: data[0].ts: must be a timestamp`));
    modem.end();
  });

  test.each([
    ['without jts', '{"type":"data","seq":7}', 'nack'],
    ['with broken JSON', '{"type":"data","seq":7,"jts":{', 'nack'],
    ['with broken JSON in its document', '{"type":"data","seq":7,"jts":{"data":[}]}}', 'nack'],
    [
      'with invalid UTF-8',
      Buffer.concat([Buffer.from('{"type":"data","seq":7,"x":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
      'nack',
    ],
    ['over the limit', `{"type":"data","seq":7,"x":"${'x'.repeat(5_400_000)}"}`, 'nack'],
    [
      'with a source that is none',
      JSON.stringify({ type: 'data', seq: 7, source: 'Nobody', jts: jts('2026-01-01', 1) }),
      'nack',
    ],
    ['with a wrong seq', '{"type":"data","seq":"7","jts":{}}', 'error'],
    ['of no type', '{"seq":7}', 'error'],
  ])('a message %s is answered, and the next one is taken', async (_what, line, answer) => {
    const { key } = await site();
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    if (Buffer.isBuffer(line)) modem.socket.write(line);
    else modem.send(line);
    await modem.next(answer, answer === 'nack' ? { seq: 7 } : { code: 'BAD_MESSAGE' });
    modem.data(8, '2026-01-01T00:00:00.000Z', 1);
    await modem.next('ack', { seq: 8 });
    modem.end();
  });

  test('a disabled source takes nothing and loses nothing; a named source gets its data', async () => {
    const { key, workspace, source } = await site({ isEnabled: false });
    const second = sourceNode(workspace, key, { name: 'Weather', customId: 'weather' });
    await changed(second);
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    await until(async () => {
      modem.data(1, '2026-01-01T00:00:00.000Z', 1, { source: 'weather' });
      return modem.received.some((message) => message.type === 'ack' && message.seq === 1);
    });
    modem.data(2, '2026-01-01T00:01:00.000Z', 1, { source: '@weather' });
    await modem.next('ack', { seq: 2 });
    modem.data(3, '2026-01-01T00:02:00.000Z', 1);
    expect(await modem.next('busy', { seq: 3 })).toMatchObject({ retryAfterSeconds: 300 });
    modem.end();
    expect(recordsOf(second)).toHaveLength(2);
    expect(recordsOf(source)).toHaveLength(0);
  });

  test('a modem that ends its side after its data still gets the acknowledgements', async () => {
    const { key, source } = await site();
    const modem = new TestModem(main.scout).ident(key);
    for (const seq of [1, 2, 3]) modem.data(seq, `2026-01-01T00:0${seq}:00Z`, seq);
    modem.socket.end();
    await modem.next('ack', { seq: 3 });
    await modem.closed();
    expect(modem.received.flatMap(({ type, seq }) => (type === 'ack' ? [seq] : []))).toEqual([1, 2, 3]);
    expect(recordsOf(source)).toHaveLength(3);
  });

  test('a slow modem that sends byte by byte is understood, and status becomes series', async () => {
    const { key, source } = await site();
    const modem = new TestModem(main.scout).ident(key);
    await modem.next('welcome');
    const text = `${JSON.stringify({ type: 'status', time: '2026-01-01T00:00:00Z', signal: -71, supply: 12.5, uptime: 10 })}\n{"type":"log","level":"INFO","message":"ü"}\n`;
    for (const byte of Buffer.from(text)) {
      modem.socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => recordsOf(source).length === 4);
    expect(historic.records.get(`${source.nodeId}/Status - Signal/2026-01-01T00:00:00.000Z`)).toBe(-71);
    modem.end();
  });
});

test('a service that stops answers the message in work, and is shown disconnected', async () => {
  const { key, who, deviceId } = await site();
  const replica = await startReplica();
  const modem = new TestModem(replica.scout).ident(key);
  await modem.next('welcome');
  const gate = Promise.withResolvers<void>();
  historic.gate = gate.promise;
  const writes = historic.writes.length;
  modem.data(1, '2026-01-01T00:00:00.000Z', 1);
  await until(() => historic.writes.length > writes);
  const stopped = replica.stop();
  gate.resolve();
  await modem.next('ack', { seq: 1 });
  await modem.closed();
  await stopped;
  expect(await isConnected(who, deviceId)).toBe(false);
});

test('a service that is killed leaves its modems disconnected within the lease', async () => {
  const { key, who, deviceId, source } = await site();
  const [grpcPort, healthPort, scoutPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const file = join(import.meta.dirname, '../../main.ts');
  const child = spawn(process.execPath, [file, 'devices'], {
    env: {
      ...process.env,
      ...env,
      NODE_OPTIONS: '',
      GRPC_PORT: `${grpcPort}`,
      HEALTH_PORT: `${healthPort}`,
      SCOUT_PORT: `${scoutPort}`,
    },
    stdio: 'ignore',
  });
  const modem = await until(async () => {
    const testModem = new TestModem(scoutPort).ident(key);
    await until(() => testModem.received.length > 0 || testModem.isClosed);
    return testModem.received[0]?.type === 'welcome' && testModem;
  });
  expect(await isConnected(who, deviceId)).toBe(true);
  child.kill('SIGKILL');
  await until(async () => !(await isConnected(who, deviceId)));
  await until(() => eventsOf(source).includes(`Device ${key} disconnected`));
  modem.end();
});

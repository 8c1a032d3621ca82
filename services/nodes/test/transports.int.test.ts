import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

const names = (name: string) => `io.svc.models.node.transport.${name}`;
const SCOUT = { _class: names('Scout'), deviceId: '353358017784062' };
const S3 = { _class: names('S3'), bucket: 'levels', accessKeyId: 'AK', secret: 'first secret' };
const FTP = { _class: names('FtpDownload'), host: 'ftp.example.org', password: 'of the server' };

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const transportsOf = async (ownerId: string, ...sourceIds: string[]) => {
  const options = { token: await f.signer.sign({ kind: 'service', service: 'devices' }) };
  return (await f.nodes.getTransports({ ownerId, sourceIds }, options)).transports;
};

test('settings come with their defaults and secrets, and with a secret that was changed', async () => {
  const api = await f.account();
  const { ownerId } = api.caller;
  const { source } = await f.source(api, { transport: S3 });
  const [first] = await transportsOf(ownerId, source._id);
  expect(first?.settings?.of).toMatchObject({
    $case: 's3',
    value: { bucket: 'levels', accessKeyId: 'AK', secret: 'first secret', prefix: '', endpoint: undefined },
  });
  await api.update(source._id, { transport: { ...S3, secret: 'second secret' } });
  const [second] = await transportsOf(ownerId, source._id);
  expect(second?.settings?.of?.value).toMatchObject({ secret: 'second secret' });
  expect(second?.revision).toBeGreaterThan(first?.revision ?? 0);
});

test('a download from an FTP server has the port of its mode, unless one is given', async () => {
  const api = await f.account();
  const { source } = await f.source(api, { transport: FTP });
  expect(source.transport).toMatchObject({ port: 21, mode: 'FTP' });
  const given = async (more: object) => (await api.update(source._id, { transport: { ...FTP, ...more } })).transport;
  expect(await given({ mode: 'FTPS_IMPLICIT' })).toMatchObject({ port: 990 });
  expect(await given({ mode: 'FTPS_IMPLICIT', port: 21 })).toMatchObject({ port: 21 });
});

test('headers, address ranges and the key of a push transport come too', async () => {
  const api = await f.account();
  const { location, source } = await f.source(api, {
    transport: { _class: names('HttpDownload'), headers: [{ name: 'X-Key', value: 'k' }] },
  });
  const mqtt = { _class: names('Mqtt'), authentication: 'CONNECT', password: 'p', ipWhitelist: ['192.0.2.0/24'] };
  const pushed = await api.create('source.data.Jts', 'Pushed', location._id, { transport: mqtt });
  const { key } = pushed.transport as { key: string };
  const found = await transportsOf(api.caller.ownerId, source._id, pushed._id);
  expect(new Map(found.map(({ sourceId, settings }) => [sourceId, settings?.of]))).toMatchObject(
    new Map<string, object>([
      [source._id, { $case: 'httpDownload', value: { headers: [{ name: 'X-Key', value: 'k' }] } }],
      [
        pushed._id,
        {
          $case: 'mqtt',
          value: { key, authentication: 'CONNECT', password: 'p', ipWhitelist: ['192.0.2.0/24'] },
        },
      ],
    ]),
  );
});

test('nothing is answered for what is gone, of another account, in a template, or no source', async () => {
  const [mine, theirs] = [await f.account(), await f.account()];
  const { source, location } = await f.source(mine, { transport: FTP });
  const gone = await mine.create('source.data.Jts', 'Gone', location._id, { transport: FTP });
  await mine.remove(gone._id);
  const templates = await mine.create('Templates', 'Templates');
  const template = await mine.create('location.Location', 'Station', templates._id);
  const inTemplate = await mine.create('source.data.Jts', 'Logger', template._id, { transport: FTP });
  const ids = [source._id, gone._id, inTemplate._id, location._id];
  expect((await transportsOf(mine.caller.ownerId, ...ids)).map(({ sourceId }) => sourceId)).toEqual([source._id]);
  expect(await transportsOf(theirs.caller.ownerId, ...ids)).toEqual([]);
});

test('the devices service alone may ask, for an account, and for 1 000 sources', async () => {
  const api = await f.account();
  const { source } = await f.source(api, { transport: SCOUT });
  const request = { ownerId: api.caller.ownerId, sourceIds: [source._id] };
  const denied = { kind: 'permission_denied' };
  await expect(f.nodes.getTransports(request, api.options)).rejects.toMatchObject(denied);
  await expect(f.nodes.getTransports(request, f.service)).rejects.toMatchObject(denied);
  const wrong = { kind: 'invalid_argument' };
  await expect(transportsOf('', source._id)).rejects.toMatchObject(wrong);
  const many = Array.from({ length: 1_001 }, () => source._id);
  await expect(transportsOf(api.caller.ownerId, ...many)).rejects.toMatchObject(wrong);
});

test('no message of the bus and no answer of the API has a secret', async () => {
  const api = await f.account();
  const { source } = await f.source(api, { transport: S3 });
  const message = await until(() => f.published.changed.find(({ node }) => node.nodeId === source._id));
  expect(message.node.source?.transportClass).toBe('S3');
  expect(JSON.stringify([f.published, await api.get(source._id), source])).not.toContain(S3.secret);
});

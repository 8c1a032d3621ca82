import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';

const names = (name: string) => `io.svc.models.node.transport.${name}`;
const S3 = { _class: names('S3'), bucket: 'levels', accessKeyId: 'AK', secret: 'first secret' };
const FTP = { _class: names('FtpDownload'), host: 'ftp.example.org', password: 'of the server' };

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const transportOf = async (ownerId: string, sourceId: string) => {
  const options = { token: await f.signer.sign({ kind: 'service', service: 'devices' }) };
  return (await f.nodes.getAcquisition({ ownerId, sourceId }, options)).transport;
};

test('settings come with their defaults and secrets, and with a secret that was changed', async () => {
  const api = await f.account();
  const { ownerId } = api.caller;
  const { source } = await f.source(api, { transport: S3 });
  const first = await transportOf(ownerId, source._id);
  expect(first?.settings?.of).toMatchObject({
    $case: 's3',
    value: { bucket: 'levels', accessKeyId: 'AK', secret: 'first secret', prefix: '', endpoint: undefined },
  });
  await api.update(source._id, { transport: { ...S3, secret: 'second secret' } });
  const second = await transportOf(ownerId, source._id);
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
  expect((await transportOf(api.caller.ownerId, source._id))?.settings?.of).toMatchObject({
    $case: 'httpDownload',
    value: { headers: [{ name: 'X-Key', value: 'k' }] },
  });
  expect((await transportOf(api.caller.ownerId, pushed._id))?.settings?.of).toMatchObject({
    $case: 'mqtt',
    value: { key, authentication: 'CONNECT', password: 'p', ipWhitelist: ['192.0.2.0/24'] },
  });
});

test('no message of the bus and no answer of the API has a secret', async () => {
  const api = await f.account();
  const { source } = await f.source(api, { transport: S3 });
  const message = await until(() => f.published.changed.find(({ node }) => node.nodeId === source._id));
  expect(message.node.source?.transportClass).toBe('S3');
  expect(JSON.stringify([f.published, await api.get(source._id), source])).not.toContain(S3.secret);
});

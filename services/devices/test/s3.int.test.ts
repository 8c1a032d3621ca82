// moto speaks S3. It checks signatures where nothing in the URL is encoded; s3-request.test.ts tests the others.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type SettingsOf, settingsOf, transportSettings } from '@catchment/contracts/transports';
import { Egress } from '@catchment/egress';
import { newObjectId } from '@catchment/ids';
import { s3Server } from '@catchment/testkit';
import { CommunicationFailure, type FileConnection, type RemoteFile } from '../src/acquisition/index.ts';
import { S3Download } from '../src/downloads/index.ts';
import { egress } from './download-fixture.ts';
import { sessionSource } from './fakes.ts';

const BUCKET = 'levels';
const { signal } = new AbortController();
const source = sessionSource();

let server: Awaited<ReturnType<typeof s3Server>>;
let key: { accessKeyId: string; secret: string };
beforeAll(async () => {
  server = await s3Server();
  await send('PUT', `/${BUCKET}`);
  await iam({ Action: 'CreateUser', UserName: 'reader' });
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: [`arn:aws:s3:::${BUCKET}`, `arn:aws:s3:::${BUCKET}/*`] }],
  });
  await iam({ Action: 'PutUserPolicy', UserName: 'reader', PolicyName: 'own', PolicyDocument });
  const made = await iam({ Action: 'CreateAccessKey', UserName: 'reader' });
  key = { accessKeyId: textOf(made, 'AccessKeyId'), secret: textOf(made, 'SecretAccessKey') };
});
afterAll(() => server.stop());
beforeEach(() => signed(false));

const textOf = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)`).exec(xml)?.[1] ?? '';

/** A request as it stands here, without a signature: URLs would lose segments such as `..`. */
async function send(method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<string> {
  const { hostname: host, port } = new URL(server.endpoint);
  const request = httpRequest({ host, port, method, path, headers }).end(body);
  const [response] = await once(request, 'response');
  const text = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  return text;
}

const iam = (fields: Record<string, string>): Promise<string> =>
  send('POST', '/', `${new URLSearchParams({ ...fields, Version: '2010-05-08' })}`, {
    'content-type': 'application/x-www-form-urlencoded',
    authorization:
      'AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=none',
  });

/** Returns whether the server takes requests with right signatures alone. */
const signed = (isNeeded: boolean) => send('POST', '/moto-api/reset-auth', isNeeded ? '0' : 'inf');

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');

const put = (path: string, content: string) => send('PUT', `/${BUCKET}/${encoded(path)}`, content);

async function withConnection<T>(
  work: (connection: FileConnection) => Promise<T>,
  fields: Partial<SettingsOf<'S3'>> = {},
  over: Egress = egress,
): Promise<T> {
  const given = { bucket: BUCKET, endpoint: server.endpoint, ...key, ...fields };
  const settings = settingsOf('S3', transportSettings('S3', given)) as SettingsOf<'S3'>;
  const connection = await new S3Download(over).connect(settings, source, signal);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const listed = (fields: Partial<SettingsOf<'S3'>>) =>
  withConnection((connection) => Array.fromAsync(connection.files(signal)), fields);
const contentOf = async (connection: FileConnection, file: RemoteFile, fromByte = 0) =>
  Buffer.concat(await Array.fromAsync(connection.read(file, fromByte, signal))).toString();
const read = (path: string, fromByte = 0, fields: Partial<SettingsOf<'S3'>> = {}) =>
  withConnection((connection) => contentOf(connection, { path, name: path }, fromByte), fields);
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) =>
      error instanceof CommunicationFailure ? error.message : `no failure of communication: ${error}`,
  );

test.each([
  'plain.csv',
  'with space.csv',
  'a+b.csv',
  '100%.csv',
  '100%25.csv',
  'Größe.csv',
  '水位.csv',
  'a&b=c?d.csv',
  'x/../y.csv',
  'x/./y.csv',
  'x//y.csv',
  "it's(1)!*.csv",
  'a;b,c:d@e$f.csv',
  '#~hash.csv',
  'q"<>{}|^`\\.csv',
])('an object of the key %j is listed, read and removed', async (name) => {
  const prefix = `keys/${newObjectId()}/`;
  await put(`${prefix}${name}`, 'content');
  const [file, ...others] = await listed({ prefix });
  expect(others).toEqual([]);
  expect(file).toEqual({
    path: `${prefix}${name}`,
    name: name.split('/').at(-1),
    sizeBytes: 7,
    modifiedMs: expect.any(Number),
  });
  await withConnection(async (connection) => {
    expect(await contentOf(connection, file!)).toBe('content');
    await connection.remove?.(file!, signal);
  });
  expect(await listed({ prefix })).toEqual([]);
});

test('a list of more than one page is whole, with a prefix as it stands, and without folders', async () => {
  const prefix = 'many & more/+';
  const paths = Array.from({ length: 1_001 }, (_, n) => `${prefix}/${String(n).padStart(4, '0')}.csv`);
  for (const path of [...paths, `${prefix}/folder/`]) await send('PUT', `/${BUCKET}/${encoded(path)}`, 'x');
  expect((await listed({ prefix })).map(({ path }) => path)).toEqual(paths);
  expect(await listed({ prefix: 'nothing' })).toEqual([]);
});

test('an object that has grown is read from the byte after the ones that are known', async () => {
  await put('grown.csv', 'one\ntwo\n');
  expect(await read('grown.csv', 4)).toBe('two\n');
});

test('bytes of an object come as they come, not when it is whole', async () => {
  await put('large.csv', 'x'.repeat(5_000_000));
  const sizes = await withConnection(async (connection) => {
    const pieces = await Array.fromAsync(connection.read({ path: 'large.csv', name: 'large.csv' }, 0, signal));
    return pieces.map(({ length }) => length);
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(5_000_000);
  expect(Math.max(...sizes)).toBeLessThan(1_000_000);
});

test('requests have the signature of the key', async () => {
  await put('signed.csv', 'content');
  await signed(true);
  expect((await listed({})).map(({ path }) => path)).toContain('signed.csv');
  expect(await read('signed.csv', 3)).toBe('tent');
});

test.each<[string, Partial<SettingsOf<'S3'>>, string]>([
  ['a key that is not known', { accessKeyId: 'unknown' }, 'the accessKeyId is not known'],
  ['a wrong secret', { secret: 'wrong' }, 'the secret is not that of the accessKeyId'],
  ['a bucket that is not for the key', { bucket: 'others' }, 'access to the bucket was refused'],
])('%s is refused in words', async (_what, fields, words) => {
  await signed(true);
  expect(await failureOf(listed(fields))).toBe(words);
});

test('a bucket or an object that does not exist, and bytes beyond its end, are failures in words', async () => {
  expect(await failureOf(read('gone.csv'))).toBe('the object is gone');
  await put('short.csv', 'abc');
  expect(await failureOf(read('short.csv', 100))).toBe('answered InvalidRange');
  expect(await failureOf(listed({ bucket: 'nowhere' }))).toBe('there is no such bucket');
});

test('an object that is gone already is removed', async () => {
  await withConnection((connection) => connection.remove!({ path: 'gone.csv', name: 'gone.csv' }, signal));
});

test('an endpoint at an address that is private is not connected to', async () => {
  const guarded = new Egress({ allowed: [] });
  const connected = withConnection((connection) => Array.fromAsync(connection.files(signal)), {}, guarded);
  expect(await failureOf(connected)).toBe(
    'address is private or reserved, and its range is not allowed by the operator',
  );
});

test('a name of an endpoint that leads to a private address is not connected to', async () => {
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const guarded = new Egress({ allowed: [], resolve });
  const { port } = new URL(server.endpoint);
  const endpoint = `http://s3.example.org:${port}`;
  const connected = withConnection((connection) => Array.fromAsync(connection.files(signal)), { endpoint }, guarded);
  expect(await failureOf(connected)).toBe(
    'address is private or reserved, and its range is not allowed by the operator',
  );
});

// S3 gives answers that moto does not give: failures in passing, other regions, other clocks, and what is no S3.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { settingsOf, transportSettings } from '@catchment/contracts/transports';
import { Egress, REMOTE_LIMITS, readRanges } from '@catchment/egress';
import { HostileServers } from '@catchment/testkit';
import { CommunicationFailure, type FileConnection } from '../src/acquisition/index.ts';
import { S3Download } from '../src/downloads/index.ts';
import { sessionSource } from './fakes.ts';

const egress = new Egress({ allowed: readRanges(['127.0.0.0/8']) ?? [] });
const NOW = Date.UTC(2024, 4, 15, 12);
const LIST =
  '<?xml version="1.0"?><ListBucketResult><Contents><Key>a&amp;&#x62;.csv</Key><Size>1</Size></Contents></ListBucketResult>';
const { signal } = new AbortController();
const source = sessionSource();

const servers = new HostileServers();
afterEach(() => servers.close());

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const xml =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
const refusal = (status: number, code: string, more = '', headers: Record<string, string> = {}) =>
  xml(status, `<Error><Code>${code}</Code>${more}</Error>`, headers);
const broken: Answer = (response) => response.socket?.resetAndDestroy();

/** Does `work` with a server that gives these answers, the last one again and again. @returns the outcome, and what the server was asked */
async function outcome(answers: readonly Answer[], work: (connection: FileConnection) => Promise<unknown>) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answers[Math.min(asked.length, answers.length) - 1]?.(response, request);
  });
  const endpoint = `http://127.0.0.1:${await servers.listen(server)}`;
  const settings = settingsOf(
    'S3',
    transportSettings('S3', { bucket: 'b', accessKeyId: 'a', secret: 's', endpoint }),
  ) as Parameters<S3Download['connect']>[0];
  const connection = await new S3Download(egress, REMOTE_LIMITS, () => NOW).connect(settings, source, signal);
  const came = await work(connection).catch((error: unknown) =>
    error instanceof CommunicationFailure ? error.message : `no failure of communication: ${error}`,
  );
  await connection.close();
  const regions = asked.map(({ headers }) => /Credential=a\/\d+\/([^/]+)\//.exec(headers.authorization ?? '')?.[1]);
  return { came, times: asked.length, regions, asked };
}

const listed = async (connection: FileConnection) =>
  (await Array.fromAsync(connection.files(signal))).map(({ path }) => path);
const read = async (connection: FileConnection) =>
  Buffer.concat(await Array.fromAsync(connection.read({ path: 'a.csv', name: 'a.csv' }, 0, signal))).toString();

test.each<[string, Answer[], unknown, number]>([
  ['a list', [xml(200, LIST)], ['a&b.csv'], 1],
  ['a server that is busy, and then not', [refusal(503, 'SlowDown'), xml(200, LIST)], ['a&b.csv'], 2],
  ['a connection that breaks, and then not', [broken, xml(200, LIST)], ['a&b.csv'], 2],
  ['a server that stays busy', [refusal(503, 'SlowDown')], 'answered SlowDown', 2],
  ['a connection that breaks again', [broken], 'connection broken off', 2],
  ['a refusal', [refusal(403, 'AccessDenied')], 'access to the bucket was refused', 1],
  ['a refusal that is no XML', [xml(404, 'no <such page')], 'answered 404', 1],
  ['a redirect elsewhere', [xml(302, '', { location: 'http://10.0.0.1/' })], 'answered 302', 1],
  [
    'a page for people',
    [xml(200, '<html><body>Welcome<br></body></html>')],
    'the answer is no list of objects: the endpoint must be one that speaks S3',
    1,
  ],
  ['nothing', [xml(200, '')], 'the answer is no list of objects: the endpoint must be one that speaks S3', 1],
  [
    'half of a list',
    [xml(200, LIST.slice(0, 90))],
    'the answer is no list of objects: the endpoint must be one that speaks S3',
    1,
  ],
])('what comes of %s', async (_what, answers, came, times) => {
  expect(await outcome(answers, listed)).toMatchObject({ came, times });
});

const ELSEWHERE = 'eu-central-1';
test.each<[string, Answer]>([
  ['in a header', refusal(301, 'PermanentRedirect', '', { 'x-amz-bucket-region': ELSEWHERE })],
  ['in the refusal', refusal(400, 'AuthorizationHeaderMalformed', `<Region>${ELSEWHERE}</Region>`)],
])('the region that a server names %s is signed for from then on', async (_what, moved) => {
  const { came, regions } = await outcome([moved, xml(200, LIST), xml(200, 'content')], async (connection) => [
    await listed(connection),
    await read(connection),
  ]);
  expect(came).toEqual([['a&b.csv'], 'content']);
  expect(regions).toEqual(['us-east-1', ELSEWHERE, ELSEWHERE]);
});

test.each([
  ['what is no name of a region', 'x.evil.example/'],
  ['the region that was signed for', 'us-east-1'],
])('a server that names %s refuses', async (_what, region) => {
  const moved = refusal(301, 'PermanentRedirect', '', { 'x-amz-bucket-region': region });
  expect(await outcome([moved], listed)).toMatchObject({ came: 'answered PermanentRedirect', times: 1 });
});

test('a server that sends to another region again and again refuses', async () => {
  const moved = (to: string) => refusal(301, 'PermanentRedirect', '', { 'x-amz-bucket-region': to });
  const { came, regions } = await outcome([moved('eu-west-1'), moved('eu-west-2'), moved('eu-west-3')], listed);
  expect(came).toBe('answered PermanentRedirect');
  expect(regions).toEqual(['us-east-1', 'eu-west-1']);
});

test('a request is signed by the clock of the server where that refuses ours', async () => {
  const date = new Date(NOW + 3_600_000).toUTCString();
  const { came, asked } = await outcome(
    [refusal(403, 'RequestTimeTooSkewed', '', { date }), xml(200, LIST), xml(200, LIST)],
    async (connection) => [await listed(connection), await listed(connection)],
  );
  expect(came).toEqual([['a&b.csv'], ['a&b.csv']]);
  expect(asked.map(({ headers }) => headers['x-amz-date'])).toEqual([
    '20240515T120000Z',
    '20240515T130000Z',
    '20240515T130000Z',
  ]);
});

test.each<[string, Answer, string]>([
  ['whole', xml(200, '123456789', { 'x-amz-checksum-crc32': 'y/Q5Jg==' }), '123456789'],
  [
    'with other bytes than those that were stored',
    xml(200, '123456780', { 'x-amz-checksum-crc32': 'y/Q5Jg==' }),
    'the object came damaged: its checksum is another one than the one that was stored',
  ],
  [
    'in a connection that breaks',
    (response) => {
      response.writeHead(200, { 'content-length': '9' }).write('1234');
      response.socket?.end();
    },
    'connection broken off',
  ],
])('an object that comes %s', async (_what, answer, came) => {
  expect(await outcome([answer], read)).toMatchObject({ came, times: 1 });
});

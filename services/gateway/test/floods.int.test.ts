// Bodies that never end, to each route that takes one, by somebody unknown and by an account: another account's writes succeed meanwhile,
// the flooding account's small ones too, and all of the memory comes back (docs/reference/guarantees.md#fairness).
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DomainError, notFound } from '@catchment/errors';
import { until } from '@catchment/testkit';
import type { RouteOptions } from 'fastify';
import { BodyBudget } from '../src/domain/body-budget.ts';
import { UPLOAD_MEMORY_BYTES } from '../src/transport/request/body-hook.ts';
import { FilesFake } from './files-fake.ts';
import { ACCOUNT, KEYS, openGateway } from './fixture.ts';

const MIB = 1024 * 1024;
/** A fraction of what it is, so that few bodies fill it: two uploads are all that an account may have of it. */
const budget = new BodyBudget(Math.ceil((8 * MIB * 8) / 5));
const ALL_BYTES = budget.freeBytes;
const CONNECTIONS = 24;
const HALF_BYTES = 250 * 1024;
const FORM_BYTES = 60 * 1024;
/** The memory of an upload is taken before its first byte. */
const UPLOAD_BYTES = 500;
const TOKEN = 'S'.repeat(43);
const SMS = 'a-token-of-the-sms-gateway';
const ID = '1'.repeat(24);
/** Its account is none of the floods'. */
const OTHER = KEYS.workspaces;

type Headers = Readonly<Record<string, string>>;
/** A client sends to a route like this. */
type Row = {
  readonly contentType: string;
  /** This many bytes are sent; one more is announced. */
  readonly bytes?: number;
  /** Headers by which an account is known before the body is read. */
  readonly known?: Headers;
  /** A sender whom nobody knows has these. */
  readonly unknown?: Headers;
  /** Without these arguments it is refused before its body. */
  readonly query?: string;
  /** Nobody else gets as far as the body. */
  readonly isChecked?: true;
};

const FORM: Row = { contentType: 'application/x-www-form-urlencoded', bytes: FORM_BYTES };
const OF_SESSION: Row = { ...FORM, known: { cookie: `catchment_session=${TOKEN}` } };

/** Clients of InfluxDB send a key of the API in this header. */
const LINES: Row = {
  contentType: 'text/plain',
  bytes: UPLOAD_BYTES,
  query: '?db=x&bucket=x',
  known: { authorization: `Token ${KEYS.modify}` },
  unknown: { authorization: `Token ${KEYS.unknown}` },
  isChecked: true,
};

/** Routes outside of /api/v1. */
const ROWS: Readonly<Record<string, Row>> = {
  '/auth/login': FORM,
  '/auth/logout': OF_SESSION,
  '/auth/forgot': FORM,
  '/auth/setupprofile/:token': FORM,
  '/auth/resetpassword/:token': FORM,
  '/auth/unsubscribe/:token': FORM,
  '/account/password': OF_SESSION,
  '/account/profile': OF_SESSION,
  '/account/choose': OF_SESSION,
  '/account/invitations/accept': OF_SESSION,
  '/account/invitations/decline': OF_SESSION,
  '/account/confirm': OF_SESSION,
  '/upload/source/:key': { contentType: 'text/plain', bytes: UPLOAD_BYTES, known: {}, isChecked: true },
  '/upload/lorawan/:key': { contentType: 'application/json', known: {}, isChecked: true },
  '/upload/sensorlog': { contentType: 'application/json' },
  '/write': LINES,
  '/api/v2/write': LINES,
  '/query': { ...LINES, ...FORM },
  '/upload/sms/twilio': { ...FORM, unknown: { 'x-twilio-signature': 'no signature of this body' } },
  '/upload/sms/json': {
    contentType: 'application/json',
    bytes: FORM_BYTES,
    known: { authorization: `Bearer ${SMS}` },
    unknown: { authorization: 'Bearer of-somebody-else' },
    isChecked: true,
  },
};

const TYPES: Readonly<Record<string, Row>> = {
  multipart: { contentType: 'multipart/form-data; boundary=x', bytes: UPLOAD_BYTES },
  file: { contentType: 'text/plain', bytes: UPLOAD_BYTES },
  csv: { contentType: 'text/csv' },
};
const ofApi = ({ config }: RouteOptions): Row => ({
  ...(TYPES[config?.bodyKind ?? ''] ?? { contentType: 'application/json' }),
  known: { 'x-api-key': KEYS.modify },
  unknown: { 'x-api-key': KEYS.unknown },
  isChecked: true,
});

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const ACCOUNTS = new Map([
  [sha256(KEYS.modify), ACCOUNT],
  [sha256(OTHER), { ...ACCOUNT, keyId: '9'.repeat(24), ownerId: '9'.repeat(24) }],
]);
const routes: { name: string; url: string; method: string; row: Row | undefined }[] = [];
let isKeyKnown = true;
const files = new FilesFake();
const gateway = await openGateway({
  env: {
    SMS_INCOMING_TWILIO_TOKEN: 'a-token-of-twilio',
    SMS_INCOMING_TOKEN: SMS,
    MAX_CONNECTIONS: '10000',
  },
  files,
  behaviour: {
    authenticate: async (keySha256) => {
      const account = ACCOUNTS.get(Buffer.from(keySha256).toString('hex'));
      if (!account) throw new DomainError('unauthenticated', 'KEY_UNKNOWN', 'Unauthorized: authentication failed');
      return account;
    },
    people: async (rpc) => {
      if (rpc === 'authenticateSession') return { ...ACCOUNT, keyId: 'session:1' };
      throw notFound();
    },
    unary: async (rpc) => {
      if (rpc === 'admitUplink' && !isKeyKnown) throw notFound();
      return '{}';
    },
  },
  deps: {
    budget,
    onRoute: (route) => {
      const { rule } = route.config ?? {};
      if (rule && rule.kind !== 'operation') return;
      for (const method of [route.method].flat().filter((verb) => !['GET', 'HEAD', 'OPTIONS'].includes(verb))) {
        const row = ROWS[route.url] ?? (rule && ofApi(route));
        routes.push({ name: `${method} ${route.url}`, url: route.url, method, row });
      }
    },
  },
});
files.onPush = async () => {
  if (!isKeyKnown) throw notFound();
};
afterAll(() => gateway[Symbol.asyncDispose]());

/** Sends many bodies of which the end never comes. `answers` has what was answered nevertheless. */
function startFlood(
  method: string,
  url: string,
  { contentType, bytes = HALF_BYTES, query = '' }: Row,
  headers: Headers,
) {
  const answers: string[] = [];
  const target = url.replace(':key', 'k').replace(':token', TOKEN).replaceAll(/:\w+/g, ID);
  const head = {
    host: 'localhost',
    'content-type': contentType,
    'content-length': String(bytes + 1),
    // Our own page sends its forms like this.
    'sec-fetch-site': 'none',
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const sent = Buffer.concat([
    Buffer.from(`${method} ${target}${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    Buffer.alloc(bytes, 'a'),
  ]);
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined).on('data', (data) => answers.push(data.toString()));
    socket.write(sent);
    return socket;
  });
  const announced = bytes === UPLOAD_BYTES ? UPLOAD_MEMORY_BYTES : bytes;
  return {
    answers,
    /** All that they ask for is taken, or some are refused. */
    isUnderWay: () => answers.length > 0 || budget.freeBytes <= ALL_BYTES - CONNECTIONS * announced,
    end: async () => {
      for (const socket of sockets) socket.destroy();
      await until(() => budget.freeBytes === ALL_BYTES);
    },
  };
}

const write = async (key: string, body: string | Buffer, headers: Headers = {}) => {
  const { status, text } = await gateway.ask(`/api/v1/nodes/${ID}/historic`, { method: 'PUT', key, body, headers });
  return `${status} ${text}`;
};
const SMALL = JSON.stringify({ docType: 'jts' }).padEnd(FORM_BYTES);

async function othersGoOn(): Promise<void> {
  for (const body of [SMALL, Buffer.alloc(MIB, ' ')]) expect(await write(OTHER, body)).toMatch(/^202 /);
}

const statusOf = (answer: string): number => Number(answer.slice('HTTP/1.1 '.length).slice(0, 3));

function expectClearRefusals(answers: readonly string[]): void {
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: \d+\r\n/i);
    if (/^content-type: application\/json/im.test(answer))
      expect(answer).toMatch(/bodies .+; send it again when some of them have ended, or send fewer or smaller ones/);
  }
}

test('each route that takes a body is flooded: one outside of /api/v1 has a row here', () => {
  expect(routes.filter(({ row }) => !row).map(({ name }) => name)).toEqual([]);
  expect(routes.length).toBeGreaterThan(70);
});

const rowed = routes.flatMap(({ row, ...route }) => (row ? [{ ...route, row }] : []));

test.each(rowed.filter(({ row }) => row.isChecked))(
  '$name: whose key is wrong is refused before the body, and gets no memory for it',
  async ({ method, url, row }) => {
    isKeyKnown = false;
    const flood = startFlood(method, url, row, row.unknown ?? {});
    try {
      await until(() => flood.answers.length === CONNECTIONS);
      expect(flood.answers.map(statusOf).filter((status) => ![401, 404, 429].includes(status))).toEqual([]);
      expect(budget.freeBytes).toBe(ALL_BYTES);
      await othersGoOn();
    } finally {
      isKeyKnown = true;
      await flood.end();
    }
  },
);

test.each(rowed.filter(({ row }) => !row.isChecked))(
  '$name: bodies of nobody known fill the share of their address, and everybody with a key goes on',
  async ({ method, url, row }) => {
    const flood = startFlood(method, url, row, row.unknown ?? {});
    try {
      await until(flood.isUnderWay);
      expectClearRefusals(flood.answers);
      await othersGoOn();
      expect(await write(KEYS.modify, Buffer.alloc(MIB, ' '))).toMatch(/^202 /);
    } finally {
      await flood.end();
    }
  },
);

test.each(rowed.filter(({ row }) => row.known))(
  '$name: bodies of an account leave room for another account, and for its own small ones',
  async ({ method, url, row }) => {
    const flood = startFlood(method, url, row, row.known ?? {});
    try {
      await until(flood.isUnderWay);
      expectClearRefusals(flood.answers);
      await othersGoOn();
      expect(await write(KEYS.modify, SMALL)).toMatch(/^202 /);
      expect(await write(KEYS.modify, gzipSync(SMALL), { 'content-encoding': 'gzip' })).toMatch(/^202 /);
    } finally {
      await flood.end();
    }
  },
);

describe('connections', () => {
  const PLACES = 64;
  const halfBody = (key: string) =>
    `PUT /api/v1/nodes/${ID}/historic HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`;

  async function flooded(count: number, text: string) {
    const limited = await openGateway({ env: { MAX_CONNECTIONS: String(PLACES) }, behaviour: gateway.behaviour });
    const answers: string[] = [];
    let closed = 0;
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(limited.port, '127.0.0.1');
      socket.on('error', () => undefined).on('data', (data) => answers.push(data.toString()));
      socket.on('close', () => {
        closed += 1;
      });
      socket.write(text);
      return socket;
    });
    return {
      answers,
      closed: () => closed,
      writes: () => limited.ask(`/api/v1/nodes/${ID}/historic`, { method: 'PUT', key: OTHER, body: '{}' }),
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy();
        await limited[Symbol.asyncDispose]();
      },
    };
  }

  test.each([
    ['idle', ''],
    ['with half of their headers', `PUT /api/v1/nodes/${ID}/historic HTTP/1.1\r\nhost: x\r\n`],
    ['with half of a form', 'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\na'],
  ])('%s, of one address, shut out nobody of the same address', async (_what, text) => {
    await using flood = await flooded(3 * PLACES, text);
    await until(() => flood.closed() >= 3 * PLACES - PLACES / 4);
    for (let n = 0; n < 5; n += 1) expect((await flood.writes()).status).toBe(202);
  });

  test('of an account that never ends its bodies leave room for another account, and the account hears of it', async () => {
    await using flood = await flooded(PLACES, halfBody(KEYS.modify));
    await until(() => flood.answers.length > 0);
    expect(flood.answers[0]).toMatch(/^HTTP\/1\.1 503 .*TOO_MANY_CONNECTIONS/s);
    for (let n = 0; n < 5; n += 1) expect((await flood.writes()).status).toBe(202);
  });
});

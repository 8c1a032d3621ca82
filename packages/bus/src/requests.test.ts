import { type TestNats, testNats } from '@catchment/testkit';
import { connect, errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { Requests } from './requests.ts';
import { serversOf } from './servers-of.ts';

const LONG_MS = 60_000;
let nats: TestNats;
let connection: NatsConnection;
let requests: Requests;

beforeEach(async () => {
  nats = await testNats();
  connection = await connect(serversOf(nats.url));
  requests = new Requests(connection);
});
afterEach(async () => {
  await connection.close();
  await nats.drop();
});

const ask = (subject: string, text = '', timeoutMs = LONG_MS): Promise<Msg> =>
  requests.send(`${nats.prefix}.${subject}`, Buffer.from(text), { timeoutMs });
const listen = (subject: string, callback: (message: Msg) => void) =>
  connection.subscribe(`${nats.prefix}.${subject}`, { callback: (_error, message) => callback(message) });

test('each request gets its own answer, in whatever order they come, also where another one has had its place', async () => {
  const asked: Msg[] = [];
  listen('mirrored', (message) => {
    asked.push(message);
    if (asked.length === 3) for (const one of asked.splice(0).toReversed()) one.respond(one.data);
  });
  for (const texts of [
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
  ]) {
    const answers = await Promise.all(texts.map((text) => ask('mirrored', text)));
    expect(answers.map((answer) => answer.string())).toEqual(texts);
  }
});

test('an answer that comes too late is not taken for that of the next request', async () => {
  const late = Promise.withResolvers<Msg>();
  listen('late', late.resolve);
  await expect(ask('late', '', 1)).rejects.toBeInstanceOf(errors.TimeoutError);
  listen('next', async (message) => {
    (await late.promise).respond('too late');
    message.respond('in time');
  });
  expect((await ask('next')).string()).toBe('in time');
});

test('a request to nobody fails at once', async () => {
  await expect(ask('nobody')).rejects.toBeInstanceOf(errors.NoRespondersError);
});

test('requests that wait for their answer fail when the connection is closed, and later ones at once', async () => {
  const heard = Promise.withResolvers<Msg>();
  listen('silent', heard.resolve);
  const refused = expect(ask('silent')).rejects.toBeInstanceOf(errors.ClosedConnectionError);
  await heard.promise;
  await connection.close();
  await refused;
  await expect(ask('silent')).rejects.toBeInstanceOf(errors.ClosedConnectionError);
});

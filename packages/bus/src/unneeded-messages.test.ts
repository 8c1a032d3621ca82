import { invalid } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import { type TestNats, testNats, until } from '@catchment/testkit';
import { Bus, DeadLetters, type PartitionReaderName } from './index.ts';

const log = createLogger('test', { level: 'silent' });
const PART = 'b';
/** This marks the work of the part. */
const OWN = 'own';

let nats: TestNats;
let bus: Bus;
beforeEach(async () => {
  nats = await testNats();
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 2, log });
  await bus.ensureParts('writer', [PART]);
});
afterEach(async () => {
  await bus.close();
  await nats.drop();
});

const publish = async (...texts: readonly string[]) => {
  for (const text of texts) await bus.publish('ingest.0', Buffer.from(text), { msgId: `${Math.random()}` });
};
const read = (reader: PartitionReaderName, part?: string) => {
  const seen: string[] = [];
  const reading = bus.readPartitions(
    reader,
    async (_partition, messages) => void seen.push(...messages.map(({ data }) => Buffer.from(data).toString())),
    part,
  );
  return { seen, stop: () => reading.stop() };
};
/** Reads until each reader has read all that there is. */
async function readAll(...readers: readonly [PartitionReaderName, string?][]): Promise<void> {
  const reading = readers.map((reader) => read(...reader));
  const names = readers.map(([reader, part]) => (part ? `${reader}-${part}-0` : `${reader}-0`));
  await until(async () => {
    const lag = await bus.lag('INGEST');
    return names.every((name) => lag[name] === 0);
  });
  await Promise.all(reading.map((reader) => reader.stop()));
}
const search = (after = 0, behind: readonly string[] = [PART]) =>
  bus.removeUnneeded(0, {
    behind,
    after,
    needed: async (messages) =>
      new Set(messages.flatMap(({ sequence, data }) => (Buffer.from(data).toString() === OWN ? [sequence] : []))),
  });
const messages = async () => (await bus.room('INGEST')).messages;

test('what the others have read goes, but for what the part has to do and the newest message; the part then reads the rest', async () => {
  await publish('a', OWN, 'b', 'c', OWN, 'd', 'newest');
  await readAll(['writer'], ['alarms']);
  expect(await messages()).toBe(7);
  expect(await search()).toEqual({ upTo: 6, isMore: false });
  expect(await messages()).toBe(3);
  expect(await search(6)).toEqual({ upTo: 6, isMore: false });
  expect((await bus.lag('INGEST'))[`writer-${PART}-0`]).toBe(3);
  const part = read('writer', PART);
  await until(() => part.seen.length === 3);
  expect(part.seen).toEqual([OWN, OWN, 'newest']);
  await until(async () => (await messages()) === 0);
  expect(await bus.hasRead('writer', 0, 7, PART)).toBe(true);
  await part.stop();
});

test.each([
  ['another reader has not finished it', async () => readAll(['writer'])],
  ['nobody has finished it', async () => {}],
])('a message stays where %s', async (_what, before) => {
  await publish('a', 'b', 'newest');
  await before();
  await search();
  expect(await messages()).toBe(3);
});

test('a message stays that a further part, or a reader of somebody else, has not read', async () => {
  await bus.ensureParts('writer', ['c']);
  await publish('a', 'b', 'newest');
  await readAll(['writer'], ['alarms']);
  await search();
  expect(await messages()).toBe(3);
  await search(0, [PART, 'c']);
  expect(await messages()).toBe(1);
});

test('messages in the hands of the part stay until it has acknowledged them', async () => {
  await publish('a', 'b', 'newest');
  await readAll(['writer'], ['alarms']);
  const held = Promise.withResolvers<void>();
  let begun = 0;
  const part = bus.readPartitions(
    'writer',
    async (_partition, batch) => {
      begun += batch.length;
      await held.promise;
    },
    PART,
  );
  await until(() => begun > 0);
  await search();
  expect(await messages()).toBe(3);
  held.resolve();
  await until(async () => (await messages()) === 0);
  await part.stop();
});

test('a dead letter that is tried again waits for its reader, whatever is in it', async () => {
  const letters = await DeadLetters.open({ url: nats.url, prefix: nats.prefix, name: 'test' });
  await publish('letter');
  const refusing = bus.readPartitions('writer', () => Promise.reject(invalid('BAD_FILE', 'letter: is bad')), PART);
  await until(async () => (await Array.fromAsync(letters.list())).length === 1);
  await refusing.stop();
  const [letter] = await Array.fromAsync(letters.list());
  await letters.retry(letter?.number ?? 0);
  await publish('a', 'newest');
  await readAll(['writer'], ['alarms']);
  expect(await search()).toEqual({ upTo: 3, isMore: false });
  const part = read('writer', PART);
  await until(() => part.seen.length === 2);
  expect(part.seen).toEqual(['letter', 'newest']);
  await part.stop();
  await letters.close();
});

test('messages of other partitions are left alone', async () => {
  await bus.publish('ingest.1', Buffer.from('there'), { msgId: 'there' });
  await publish('a', 'newest');
  await readAll(['writer'], ['alarms']);
  await search();
  expect(await messages()).toBe(2);
});

test('a long log is searched in steps', async () => {
  await publish(...Array.from({ length: 100 }, (_, n) => (n === 70 ? OWN : 'a')));
  await readAll(['writer'], ['alarms']);
  expect(await search()).toEqual({ upTo: 64, isMore: true });
  expect(await messages()).toBe(36);
  expect(await search(64)).toEqual({ upTo: 99, isMore: false });
  expect(await messages()).toBe(2);
});

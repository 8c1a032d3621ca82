import { DomainError } from '@catchment/errors';
import { createLogger } from '@catchment/telemetry';
import { type TestNats, testNats, until } from '@catchment/testkit';
import { Bus, type BusMessage, type DeadLetter, DeadLetters } from './index.ts';

const log = createLogger('test', { level: 'silent' });
const SOON_MS = 10_000;
let nats: TestNats;
let bus: Bus;
let letters: DeadLetters;

beforeEach(async () => {
  nats = await testNats();
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  letters = await DeadLetters.open({ url: nats.url, prefix: nats.prefix, name: 'test' });
});
afterEach(async () => {
  await letters.close();
  await bus.close();
  await nats.drop();
});

const text = ({ data }: { readonly data: Uint8Array }) => Buffer.from(data).toString();
const listed = () => Array.fromAsync(letters.list());
const publish = (subject: string, content: string) => bus.publish(subject, Buffer.from(content), { msgId: content });

/** Handles messages, and fails at the ones that it is given. */
function handler() {
  const seen: BusMessage[] = [];
  const poison = new Set<string>();
  return {
    seen,
    poison,
    handle: async (messages: readonly BusMessage[]) => {
      if (messages.some((message) => poison.has(text(message))))
        throw new DomainError('invalid_argument', 'MESSAGE_UNREADABLE', 'message: is poison');
      seen.push(...messages);
    },
  };
}

async function onlyLetter(): Promise<DeadLetter> {
  await until(async () => (await listed()).length === 1);
  const [letter] = await listed();
  if (!letter) throw new Error('there is none');
  return letter;
}
const retry = async (letter: DeadLetter, content?: Uint8Array) =>
  letters.outcome(letter, await letters.retry(letter.number, content), SOON_MS);

test('none to begin with', async () => {
  expect(await listed()).toEqual([]);
});

describe('a dead letter of a reader of events', () => {
  const SUBJECT = 'events.event.recorded.v1';

  test('is listed and shown, and reaches its reader alone when it is tried again, with the place that it had', async () => {
    const [reader, other] = [handler(), handler()];
    const watched: string[] = [];
    reader.poison.add('bad');
    bus.readDomain('events-recorded', reader.handle);
    bus.readDomain('nodes-transitions', other.handle);
    bus.watch(
      SUBJECT,
      (data) => watched.push(text({ data })),
      () => {},
    );
    for (const content of ['one', 'bad', 'two']) await publish(SUBJECT, content);
    const letter = await onlyLetter();
    expect(letter).toMatchObject({ reader: 'events-recorded', subject: SUBJECT, sequence: 2, bytes: 3 });
    expect(letter.reason).toBe('MESSAGE_UNREADABLE: message: is poison');
    expect(text(await letters.get(letter.number))).toBe('bad');
    await until(() => other.seen.length === 3);

    reader.poison.clear();
    expect(await retry(letter)).toEqual({ kind: 'handled' });
    expect(await listed()).toEqual([]);
    const retried = reader.seen.find((message) => text(message) === 'bad');
    expect(retried).toMatchObject({ subject: SUBJECT, sequence: 2, isRetry: true, timeMs: letter.timeMs });
    await publish(SUBJECT, 'three');
    await until(() => other.seen.length === 4 && watched.length === 4);
    expect(other.seen.map(text)).toEqual(['one', 'bad', 'two', 'three']);
    expect(watched).toEqual(['one', 'bad', 'two', 'three']);
  });

  test('is a new one when it fails again, with the place that it had at first', async () => {
    const reader = handler();
    reader.poison.add('bad');
    bus.readDomain('events-recorded', reader.handle);
    await publish(SUBJECT, 'bad');
    const letter = await onlyLetter();
    const outcome = await retry(letter);
    expect(outcome).toMatchObject({ kind: 'failed', letter: { sequence: 1, timeMs: letter.timeMs, subject: SUBJECT } });
    expect((await listed()).map(({ retryOf }) => retryOf)).toEqual([letter.number]);
  });

  test('waits for a reader that is away, and is gone when it is dropped', async () => {
    const reader = handler();
    reader.poison.add('bad');
    const running = bus.readDomain('events-recorded', reader.handle);
    await publish(SUBJECT, 'bad');
    await publish(SUBJECT, 'good');
    const letter = await onlyLetter();
    await until(() => reader.seen.length === 1);
    await running.stop();
    expect(await letters.outcome(letter, await letters.retry(letter.number), 100)).toEqual({ kind: 'waiting' });
    bus.readDomain('events-recorded', reader.handle);
    const again = await onlyLetter();
    await letters.drop(again.number);
    expect(await listed()).toEqual([]);
    await expect(letters.drop(again.number)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(letters.get(again.number)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

test('a dead letter of a partition comes behind what is there, for its reader alone, with other content where that is given', async () => {
  const [writer, alarms] = [handler(), handler()];
  writer.poison.add('bad');
  bus.readPartitions('writer', (_partition, messages) => writer.handle(messages));
  bus.readPartitions('alarms', (_partition, messages) => alarms.handle(messages));
  for (const content of ['one', 'bad', 'two']) await publish('ingest.0', content);
  const letter = await onlyLetter();
  expect(letter).toMatchObject({ reader: 'writer-0', subject: 'ingest.0', sequence: 2 });
  await until(() => writer.seen.length === 2 && alarms.seen.length === 3);
  expect(await retry(letter, Buffer.from('gentle'))).toEqual({ kind: 'handled' });
  expect(writer.seen.map(text)).toEqual(['one', 'two', 'gentle']);
  expect(writer.seen.at(-1)).toMatchObject({ sequence: 4, firstSequence: 2, isRetry: true });
  await publish('ingest.0', 'three');
  await until(() => alarms.seen.length === 4);
  expect(alarms.seen.map(text)).toEqual(['one', 'bad', 'two', 'three']);
});

test('a letter of a reader that is gone stays where it is', async () => {
  await bus.keepOptional(['events-alarms']);
  const reader = handler();
  reader.poison.add('bad');
  const running = bus.readDomain('events-alarms', reader.handle);
  await publish('alarms.alarm.changed.v1', 'bad');
  const letter = await onlyLetter();
  await running.stop();
  await bus.keepOptional([]);
  await expect(letters.retry(letter.number)).rejects.toMatchObject({ reason: 'READER_UNKNOWN' });
  expect(await listed()).toHaveLength(1);
});

test('the list ends where the newest letters are gone', async () => {
  const reader = handler();
  for (const content of ['one', 'two', 'three']) reader.poison.add(content);
  bus.readDomain('events-recorded', reader.handle);
  for (const content of ['one', 'two', 'three']) await publish('events.event.recorded.v1', content);
  await until(async () => (await listed()).length === 3);
  const [first, second, third] = (await listed()).map(({ number }) => number);
  if (!first || !second || !third) throw new Error('they are not there');
  await letters.drop(third);
  expect((await Array.fromAsync(letters.list(first))).map(({ number }) => number)).toEqual([second]);
  expect(await Array.fromAsync(letters.list(second))).toEqual([]);
  // Dropped while they are listed.
  const seen: number[] = [];
  for await (const { number } of letters.list()) {
    seen.push(number);
    if (number === first) await letters.drop(second);
  }
  expect(seen[0]).toBe(first);
});

test('a letter of a queue goes back to it', async () => {
  const reader = handler();
  reader.poison.add('bad');
  bus.readQueue('nodes-emails', (message) => reader.handle([message]));
  await publish('notifications.email.due.v1', 'bad');
  const letter = await onlyLetter();
  reader.poison.clear();
  expect(await retry(letter)).toEqual({ kind: 'handled' });
  expect(reader.seen.map(text)).toEqual(['bad']);
});

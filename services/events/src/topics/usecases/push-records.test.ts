import { DomainError, unavailable } from '@catchment/errors';
import { bitsOf, encodeEntries, type LogEntry } from '@catchment/ingest-log';
import { columnOf, type ModeName } from '@catchment/testkit/write-model';
import type { RecordChange } from '../domain/record-changes.ts';
import type { SettledLog, TopicMessage } from './ports.ts';
import { RecordPusher } from './push-records.ts';

const NODE = 'a'.repeat(24);
const written = (mode: ModeName, count = 1): LogEntry => ({
  kind: 'column',
  column: columnOf(mode, new Map(Array.from({ length: count }, (_, n) => [n, { v: n }])), { nodeId: NODE }),
});
const messageOf = (sequence: number, ...entries: LogEntry[]) => ({
  sequence,
  firstSequence: sequence,
  isRetry: false,
  data: encodeEntries(entries, 1_000_000, () => 'k')[0] ?? new Uint8Array(),
});
const SIGNAL = () => AbortSignal.timeout(5_000);

function setUp() {
  const applied = { upTo: 0, columns: new Map<string, Uint8Array>(), parts: new Map<string, Uint8Array[]>() };
  const settled: SettledLog = {
    settle: async () => {},
    upTo: async () => applied.upTo,
    verdicts: async (_partition, sequence) =>
      new Map(
        [...applied.columns].flatMap(([at, bits]) =>
          at.startsWith(`${sequence} `) ? [[Number(at.split(' ')[1]), bits]] : [],
        ),
      ),
    stagePart: async ({ columnKey, part, data }) => {
      const parts = applied.parts.get(columnKey) ?? [];
      parts[part] = data;
      applied.parts.set(columnKey, parts);
    },
    partsOf: async (columnKey) => applied.parts.get(columnKey) ?? [],
    forget: async () => {},
    purge: async () => {},
  };
  const topic = { sent: [] as string[], isAway: false, refused: new Set<string>(), fill: 0 };
  const errors: unknown[] = [];
  const describe = (change: RecordChange) =>
    change.kind === 'deleted' ? 'deleted' : `${change.kind}:${change.indexes.length}`;
  let pauses = 0;
  const pusher = new RecordPusher({
    settled,
    topic: {
      send: async (messages: Iterable<TopicMessage>) => {
        if (topic.isAway) throw unavailable('TOPIC_UNAVAILABLE');
        const all = [...messages];
        const refused = all.filter(({ id }) => topic.refused.has(id));
        for (const { id, value } of all) if (!topic.refused.has(id)) topic.sent.push(`${id} ${value}`);
        return { refused };
      },
    },
    messagesOf: (change, id) => [{ id, key: 'owner', value: describe(change) }],
    fill: async () => topic.fill,
    pause: async () => {
      pauses += 1;
      if (pauses === 3) applied.upTo = 100;
    },
    log: { error: (facts: unknown) => void errors.push(facts) },
  });
  return { applied, topic, pusher, errors, pauses: () => pauses };
}

test('messages are sent once historic has stored them', async () => {
  const { topic, pusher, pauses } = setUp();
  await pusher.push(0, [messageOf(5, written('MERGE_OVERWRITE_EXISTING', 3))], SIGNAL());
  expect(pauses()).toBe(3);
  expect(topic.sent).toEqual(['0-5-0 written:3']);
});

test('what has not been stored within the time is left for later', async () => {
  const { topic, pusher } = setUp();
  const over = AbortSignal.abort();
  await expect(pusher.push(0, [messageOf(5, written('DISCARD'))], over)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(topic.sent).toEqual([]);
});

test('of modes that depend on records that were there, what was written is sent', async () => {
  const { applied, topic, pusher } = setUp();
  applied.upTo = 10;
  applied.columns.set('6 1', bitsOf([0, 2], 3));
  const entries = [written('MERGE_PRESERVE_EXISTING', 3), written('MERGE_PRESERVE_EXISTING', 3)];
  await pusher.push(0, [messageOf(6, ...entries)], SIGNAL());
  expect(topic.sent).toEqual(['0-6-1 written:2']);
});

test('a column that spans messages is sent whole, with its last part, under its name', async () => {
  const { applied, topic, pusher } = setUp();
  applied.upTo = 20;
  const parts = encodeEntries([written('MERGE_OVERWRITE_EXISTING', 4_000)], 30_000, () => 'k');
  expect(parts.length).toBeGreaterThan(1);
  const messages = parts.map((data, n) => ({ ...messageOf(n + 1), data }));
  await pusher.push(0, messages.slice(0, -1), SIGNAL());
  expect(topic.sent).toEqual([]);
  await pusher.push(0, messages.slice(-1), SIGNAL());
  expect(topic.sent).toEqual([`0-${parts.length}-0 written:4000`]);
});

test('while the topic is away the message stays; what was sent before it is not sent again', async () => {
  const { applied, topic, pusher } = setUp();
  applied.upTo = 10;
  const messages = [1, 2].map((n) => messageOf(n, written('MERGE_OVERWRITE_EXISTING')));
  await pusher.push(0, messages.slice(0, 1), SIGNAL());
  topic.isAway = true;
  await expect(pusher.push(0, messages, SIGNAL())).rejects.toMatchObject({ reason: 'TOPIC_UNAVAILABLE' });
  topic.isAway = false;
  await pusher.push(0, messages, SIGNAL());
  expect(topic.sent).toEqual(['0-1-0 written:1', '0-2-0 written:1']);
});

test('a log that is half full gives up a topic that is away, and says so', async () => {
  const { applied, topic, pusher, errors } = setUp();
  applied.upTo = 10;
  topic.isAway = true;
  topic.fill = 0.51;
  await pusher.push(0, [messageOf(1, written('MERGE_OVERWRITE_EXISTING'))], SIGNAL());
  expect(errors).toEqual([{ partition: 0, sequence: 1 }]);
});

test('what the topic will never take is a dead letter; the rest of the message is there', async () => {
  const { applied, topic, pusher } = setUp();
  applied.upTo = 10;
  topic.refused.add('0-1-0');
  const message = messageOf(1, written('MERGE_OVERWRITE_EXISTING', 1), written('MERGE_OVERWRITE_EXISTING', 2));
  const failure = await pusher.push(0, [message], SIGNAL()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DomainError);
  expect(failure).toMatchObject({ kind: 'invalid_argument', reason: 'MESSAGE_TOO_LARGE' });
  expect(topic.sent).toEqual(['0-1-1 written:2']);
});

test('a dead letter that comes again is sent under its first name, with what was said of it then', async () => {
  const { applied, topic, pusher } = setUp();
  applied.columns.set('6 0', bitsOf([0, 2], 3));
  const message = messageOf(6, written('MERGE_PRESERVE_EXISTING', 3));
  await pusher.push(0, [{ ...message, sequence: 900, isRetry: true }], SIGNAL());
  expect(topic.sent).toEqual(['0-6-0 written:2']);
});

test('a column whose first parts are missing is a dead letter', async () => {
  const { applied, pusher } = setUp();
  applied.upTo = 20;
  const last =
    encodeEntries([written('MERGE_OVERWRITE_EXISTING', 4_000)], 30_000, () => 'k').at(-1) ?? new Uint8Array();
  const failure = pusher.push(0, [{ ...messageOf(9), data: last }], SIGNAL());
  await expect(failure).rejects.toMatchObject({ reason: 'COLUMN_PARTS_MISSING' });
});

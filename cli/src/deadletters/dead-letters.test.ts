import type { DeadLetter } from '@catchment/bus';
import { EventRecorded } from '@catchment/contracts/events';
import { WriteMode } from '@catchment/contracts/ingest';
import { decodeBatch, encodeEntries, retryContent } from '@catchment/ingest-log';
import { columnOf, type ModeName } from '@catchment/testkit/write-model';
import { deadLetterContent } from './dead-letter-content.ts';
import { deadLetterDocument, deadLetterLine } from './dead-letter-lines.ts';

const DEAD_LETTER: DeadLetter = {
  number: 17,
  reader: 'writer-3',
  subject: 'ingest.3',
  sequence: 5,
  timeMs: Date.UTC(2026, 4, 1, 12),
  deadMs: Date.UTC(2026, 4, 1, 12, 0, 7),
  reason: 'failed 6 times',
  bytes: 100,
  retryOf: undefined,
};
const written = (mode: ModeName, times: number): Uint8Array => {
  const updates = new Map(Array.from({ length: times }, (_, n) => [n * 1_000, { v: n }]));
  const column = columnOf(mode, updates, { nodeId: 'a'.repeat(24) });
  return encodeEntries([{ kind: 'column', column }], 1_000_000, () => 'k')[0] ?? new Uint8Array();
};

test('a line has reader, subject, times and reason; for programs times are ISO 8601', () => {
  expect(deadLetterLine(DEAD_LETTER).split(/\s\s+/)).toEqual([
    '17',
    'writer-3',
    'ingest.3',
    '2026-05-01T12:00:00Z',
    '2026-05-01T12:00:07Z',
    '100',
    'failed 6 times',
  ]);
  expect(deadLetterLine({ ...DEAD_LETTER, timeMs: undefined })).toContain('?');
  expect(deadLetterDocument(DEAD_LETTER)).toMatchObject({ number: 17, time: '2026-05-01T12:00:00.000Z' });
});

describe('content:', () => {
  test('a message of ours is decoded', () => {
    const event = { eventId: 'e', message: 'State changed from NORMAL to HIGH' };
    const data = EventRecorded.encode(EventRecorded.fromPartial(event)).finish();
    expect(deadLetterContent('events.event.recorded.v1', data)).toMatchObject(event);
  });

  test('of a column of the ingest log it says what it is about, and how long it is', () => {
    const expected = {
      kind: 'column',
      nodeId: 'a'.repeat(24),
      writeMode: 'WRITE_MODE_MERGE_OVERWRITE_EXISTING',
      records: 50,
      first: '1970-01-01T00:00:00.000Z',
      last: '1970-01-01T00:00:49.000Z',
    };
    expect(deadLetterContent('ingest.0', written('MERGE_OVERWRITE_EXISTING', 50))).toMatchObject([expected]);
  });

  test('long lists and texts are cut, and say so', () => {
    const column = columnOf('MERGE_OVERWRITE_EXISTING', new Map([[0, { v: 1 }]]), { nodeId: 'a'.repeat(24) });
    const entries = Array.from({ length: 30 }, () => ({ kind: 'column', column }) as const);
    const [data = new Uint8Array()] = encodeEntries(entries, 1_000_000, () => 'k');
    expect((deadLetterContent('ingest.0', data) as unknown[]).slice(19)).toEqual([expect.any(Object), '… 10 more']);
    const event = EventRecorded.encode(EventRecorded.fromPartial({ message: 'x'.repeat(600) })).finish();
    expect(deadLetterContent('events.event.recorded.v1', event)).toMatchObject({ message: `${'x'.repeat(500)}…` });
  });

  test.each([
    ['bytes that are no such message', 'ingest.0', { unreadable: expect.any(String), bytes: 2, first: 'ffff' }],
    ['a message of another version', 'nodes.thing.made.v9', { unknown: expect.any(String), bytes: 2, first: 'ffff' }],
  ])('%s are shown as bytes', (_what, subject, expected) => {
    expect(deadLetterContent(subject, Uint8Array.of(255, 255))).toEqual(expected);
  });
});

describe('tried again,', () => {
  test('a dead letter of the writer fills gaps', () => {
    const content = retryContent(DEAD_LETTER, written('MERGE_OVERWRITE_EXISTING', 2), { overwrite: false });
    const writeMode = WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING;
    expect(decodeBatch(content ?? new Uint8Array())).toMatchObject([{ column: { writeMode } }]);
  });

  test('one that deletes is refused unless that is wanted', () => {
    expect(() => retryContent(DEAD_LETTER, written('DELETE', 2), { overwrite: false })).toThrow('--overwrite');
    expect(retryContent(DEAD_LETTER, written('DELETE', 2), { overwrite: true })).toBeUndefined();
  });

  test('dead letters of other readers are as they were', () => {
    expect(
      retryContent({ ...DEAD_LETTER, reader: 'alarms-3' }, written('DELETE', 2), { overwrite: false }),
    ).toBeUndefined();
  });
});

// These tests hear what a cluster says while it elects leaders (docs/adr/0026-backup.md).
import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import type { StreamLooks } from './all-consumers.ts';
import { readerPositions } from './reader-positions.ts';

type Reader = { pending?: number; unacknowledged?: number; floor?: number; delivered?: number; from?: number };

/** A stream with messages of `a` and `b` as its leader has them, and readers of `a` as their own servers report them. */
const looks = (
  end: number,
  messages: Readonly<Record<number, 'a' | 'b'>>,
  listed: readonly Reader[],
  count = listed.length,
) =>
  ({
    streams: {
      info: async () => ({ state: { last_seq: end, consumer_count: count } }) as StreamInfo,
      getMessage: async (_stream: string, { seq, next_by_subj }: { seq: number; next_by_subj: string }) => {
        const next = Object.entries(messages).find(([at, subject]) => Number(at) >= seq && subject === next_by_subj);
        return next ? { seq: Number(next[0]) } : null;
      },
    },
    consumers: {
      list: async function* () {
        for (const [n, { pending = 0, unacknowledged = 0, floor = 0, delivered = 0, from }] of listed.entries())
          yield {
            name: `reader-${n}`,
            num_pending: pending,
            num_ack_pending: unacknowledged,
            ack_floor: { stream_seq: floor },
            delivered: { stream_seq: delivered },
            config: { durable_name: `reader-${n}`, filter_subject: 'a', ...(from && { opt_start_seq: from }) },
          } as ConsumerInfo;
      },
    },
  }) as unknown as StreamLooks;
const positionOf = async (...call: [number, Parameters<typeof looks>[1], Reader]) =>
  (await readerPositions(looks(call[0], call[1], [call[2]]), 's', []))['reader-0'];

test.each([
  ['with nothing left is as far as the stream', 9, { 3: 'a', 9: 'b' }, { floor: 3, delivered: 3 }, 9],
  ['with nothing left of an empty stream too', 9, {}, { floor: 3, delivered: 3 }, 9],
  [
    'whose server lacks the newest message is before that',
    9,
    { 3: 'a', 8: 'a', 9: 'a' },
    { floor: 3, delivered: 3 },
    7,
  ],
  ['to whom something came meanwhile is as far as the stream was', 9, { 12: 'a' }, { floor: 3, delivered: 3 }, 9],
  ['that has something left is where it is', 9, { 8: 'a' }, { pending: 1, floor: 3, delivered: 3 }, 3],
  [
    'that handles something is behind what it has acknowledged',
    9,
    {},
    { unacknowledged: 1, floor: 3, delivered: 4 },
    3,
  ],
  ['that has acknowledged nothing is where it began', 9, {}, { unacknowledged: 1, delivered: 6, from: 6 }, 5],
] as const)('a reader %s', async (_what, end, messages, reader, expected) => {
  expect(await positionOf(end, messages, reader)).toBe(expected);
});

test.each([
  ['fewer readers than the stream has', [], 2],
  ['a required reader is not there', ['reader-1'], 1],
] as const)('%s: nothing is known', async (_what, required, count) => {
  const listed = [{ delivered: 3 }];
  await expect(readerPositions(looks(9, {}, listed, count), 's', required)).rejects.toMatchObject({
    kind: 'unavailable',
  });
});

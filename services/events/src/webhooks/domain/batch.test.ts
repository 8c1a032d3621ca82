import { BATCH_BYTES, batchOf } from './batch.ts';

const texts = (count: number, length = 10) =>
  Array.from({ length: count }, (_, n) => JSON.stringify(String(n).padEnd(length, 'ä')));

test('a batch has the events in order', () => {
  expect(batchOf(['{"a":1}', '{"b":2}'])).toEqual({ body: '[{"a":1},{"b":2}]', count: 2 });
});

test('a batch has at most 100 events', () => {
  const { body, count } = batchOf(texts(250));
  expect([count, JSON.parse(body).length]).toEqual([100, 100]);
});

test('a batch has at most 256 KiB, counted in bytes', () => {
  const { body, count } = batchOf(texts(100, 8_000));
  expect(count).toBeLessThan(100);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(BATCH_BYTES);
  expect(Buffer.byteLength(batchOf(texts(count + 1, 8_000)).body)).toBe(Buffer.byteLength(body));
});

test('an event that is too large is sent alone', () => {
  expect(batchOf(texts(2, 200_000)).count).toBe(1);
});

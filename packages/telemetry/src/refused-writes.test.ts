import { metricsPage } from './metrics/page.ts';
import { type RefusedWrite, recentRefusals, reportRefusedWrite } from './refused-writes.ts';

const MINUTE_MS = 60_000;
const write = (part: string): RefusedWrite => ({ store: 'nats', part, reason: 'full', says: 'insufficient resources' });

/** Reports writes at these times. @returns the lines */
function linesOf(writes: readonly (readonly [part: string, atMs: number])[]): object[] {
  const lines: object[] = [];
  const log = { error: (...line: unknown[]) => lines.push(line[0] as object) };
  for (const [part, atMs] of writes) reportRefusedWrite(log as never, write(part), atMs);
  return lines;
}
const line = (part: string, writes: number) => ({ ...write(part), writes });

test.each([
  ['the first one at once', [['A', 0]], [line('A', 1)]],
  ['none of those that come within a minute', [...Array(50).keys()].map((n) => ['B', n * 1_000]), [line('B', 1)]],
  [
    'how many there were, a minute later',
    [
      ['C', 0],
      ['C', 1],
      ['C', 2],
      ['C', MINUTE_MS],
    ],
    [line('C', 1), line('C', 3)],
  ],
  [
    'each stream for itself',
    [
      ['D', 0],
      ['E', 1],
    ],
    [line('D', 1), line('E', 1)],
  ],
] as [string, [string, number][], object[]][])('the log has %s', (_what, writes, expected) => {
  expect(linesOf(writes)).toEqual(expected);
});

test('all of them are counted, and reported for ten minutes', async () => {
  linesOf([
    ['F', 0],
    ['F', 10],
  ]);
  expect((await metricsPage()).text).toContain('catchment_writes_refused_total{store="nats",part="F",reason="full"} 2');
  expect(recentRefusals('historic', 10 * MINUTE_MS)).toContainEqual(write('F'));
  expect(recentRefusals('historic', 10 * MINUTE_MS + 11)).not.toContainEqual(write('F'));
});

test('however many parts there are, a process remembers a few hundred, and a long reason in part', () => {
  const lines = linesOf(Array.from({ length: 1_000 }, (_, n) => [`many-${n}`, 0] as const));
  expect(lines.length).toBeLessThan(250);
  const log = { error: () => {} };
  reportRefusedWrite(log as never, { ...write('A'), says: 'x'.repeat(10_000) }, 0);
  expect(recentRefusals('historic', 0).find(({ part }) => part === 'A')?.says).toHaveLength(300);
});

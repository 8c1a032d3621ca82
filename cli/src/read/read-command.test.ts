import { openBytesProgress } from './bytes-progress.ts';
import { askedOf } from './read-command.ts';

const NONE = { long: false, quality: false, annotations: false, quiet: false };
const asked = (options: Partial<Parameters<typeof askedOf>[0]>, isTerminal = false) =>
  askedOf({ ...NONE, ...options }, isTerminal);

test.each([
  [{ limit: 5 }, { format: 'CSV', limit: 5 }],
  [
    { start: '2024', end: '2025' },
    { format: 'CSV', start: '2024', end: '2025' },
  ],
  [
    { limit: 5, json: true },
    { format: 'JSON', limit: 5 },
  ],
  [
    { limit: 5, output: 'a.parquet' },
    { format: 'PARQUET', limit: 5 },
  ],
  [
    { limit: 5, output: 'a.json.gz' },
    { format: 'JSON', limit: 5 },
  ],
  [
    { limit: 5, output: 'a.parquet', format: 'RDB' as const },
    { format: 'RDB', limit: 5 },
  ],
  [
    { limit: 5, output: 'a.csv', json: true },
    { format: 'CSV', limit: 5 },
  ],
  [
    { limit: 5, long: true },
    { format: 'CSV', limit: 5, layout: 'LONG' },
  ],
  [
    { limit: 5, quality: true, annotations: true },
    { format: 'CSV', limit: 5, quality: 'SEPARATE_VALUE', annotation: 'SEPARATE_VALUE' },
  ],
  [
    { limit: 5, quality: true, format: 'RDB' as const },
    { format: 'RDB', limit: 5 },
  ],
  [
    { start: '2024', end: '2025', aggregate: 'max', interval: '1D' },
    { format: 'CSV', start: '2024', end: '2025', aggregate: 'MAX', interval: '1D' },
  ],
])('%j', (options, expected) => {
  expect(asked(options)).toEqual(expected);
});

test.each([
  [{}, '--start and --end must be given'],
  [{ start: '2024' }, '--end must be given'],
  [{ end: '2024' }, '--start must be given'],
  [{ limit: 5, aggregate: 'MAX' }, '--aggregate: needs --interval'],
  [{ limit: 5, interval: '1D' }, '--interval: needs --aggregate'],
  [{ limit: 5, long: true, format: 'JSON' as const }, '--long: is a layout of CSV'],
  [{ limit: 5, json: true, format: 'CSV' as const }, '--json: prints JSON'],
])('%j is wrong usage', (options, message) => {
  expect(() => asked(options)).toThrow(message);
});

test('bytes are not printed on a terminal', () => {
  expect(() => asked({ limit: 5, format: 'ARROW' }, true)).toThrow('ARROW is no text for a terminal');
  expect(asked({ limit: 5, format: 'ARROW' }).format).toBe('ARROW');
});

test('progress is a line of a terminal, and nothing elsewhere', () => {
  const written: string[] = [];
  let nowMs = 0;
  const progress = (isTTY: boolean) => {
    nowMs = 0;
    const stream = { isTTY, write: (text: string) => written.push(text) > 0 };
    const opened = openBytesProgress(stream as never, true, () => nowMs);
    for (nowMs = 0; nowMs <= 1_000; nowMs += 100) opened.update(nowMs * 10_486);
    opened.stop();
  };
  progress(false);
  expect(written).toEqual([]);
  progress(true);
  expect(written.at(0)).toBe('\r\x1b[K2.0 MiB, 0 s');
  expect(written.at(-1)).toBe('\r\x1b[K');
});

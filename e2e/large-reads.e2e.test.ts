// Large answers are whole while connections age and processors are full; a broken answer is logged with its reason.
import { amount, isLong } from '@catchment/testkit';
import { type LargeReads, openLargeReads, PROCESSORS } from './src/large-reads.ts';

let large: LargeReads;
beforeAll(async () => {
  large = await openLargeReads();
});
afterAll(() => large?.stop());

const READS = amount(8, 40);

// Other tests fill the processors in a whole run.
const BUSY = isLong ? { busyProcesses: PROCESSORS } : {};

test(`${READS} answers of 100 000 records are whole while connections age and processors are full`, async () => {
  const totals = await large.run({ reads: READS, readers: 8, slow: 3, ...BUSY });
  expect(totals).toEqual({ whole: READS, wrong: [], refused: 0, broken: [] });
});

test('while services are restarted an answer is whole, refused, or broken off with a line that says why', async () => {
  const totals = await large.run({ reads: amount(8, 30), readers: 6, slow: 3, restarts: true });
  expect(totals.wrong).toEqual([]);
  for (const { error, line } of totals.broken) {
    expect(error).toBe('ECONNRESET');
    expect(line).toMatchObject({ level: 'warn', reason: 'peer failed' });
  }
  expect(totals.whole).toBeGreaterThan(0);
});

import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { inAccount } from '@catchment/fair-queue';
import { until } from '@catchment/testkit';
import { createDrawPool, type DrawPool } from '../src/clients/drawing/draw-pool.ts';
import { chart, series } from './builders.ts';

const never = new AbortController().signal;
const MIB = 1024 * 1024;
let pool: DrawPool;
beforeAll(async () => {
  pool = await createDrawPool({ threads: 1, heapMegabytes: 512 });
  await pool.draw({ chart: chartOf(), format: 'PNG', scale: 1 }, never);
});
afterAll(() => pool.close());

const chartOf = (size = 300) => chart([series([1, 3, 2])], { width: size, height: size });

async function residentMib(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / MIB;
}

test('a chart of another account is drawn next, however many of the first wait for a thread', async () => {
  const drawn: string[] = [];
  const draw = async (account: string) => {
    await inAccount(account, () => pool.draw({ chart: chartOf(), format: 'PNG', scale: 1 }, never));
    drawn.push(account);
  };
  const flood = Array.from({ length: 12 }, () => draw('a'));
  const other = draw('b');
  await Promise.all([...flood, other]);
  expect(drawn).toHaveLength(13);
  expect(drawn.indexOf('b')).toBeLessThanOrEqual(1);
});

test.each(['JPG', 'PNG'] as const)(
  'the largest %s takes a fraction of what its pixels are, and gives it back',
  async (format) => {
    const before = await residentMib();
    let peak = before;
    let isDrawing = true;
    const watch = (async () => {
      for (; isDrawing; await delay(20)) peak = Math.max(peak, await residentMib());
    })();
    const picture = await pool.draw({ chart: chartOf(4_000), format, scale: 4 }, never);
    isDrawing = false;
    await watch;
    expect(picture.byteLength).toBeGreaterThan(MIB);
    // 256 million pixels are 1 GiB; a JPEG with the best code held 3.
    expect(peak - before).toBeLessThan(700);
    await until(async () => (await residentMib()) - before < 350, { what: 'its memory is given back' });
  },
);

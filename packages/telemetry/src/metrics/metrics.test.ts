import { execFileSync } from 'node:child_process';
import { vi } from 'vitest';
import { atMostEvery, counter, gauge, histogram, metricsPage } from '../index.ts';

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0';

async function samples(name: string, accept = ''): Promise<string[]> {
  const { text } = await metricsPage(accept);
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('a counter shows its labels, and those that were added with 0', async () => {
  const letters = counter({ name: 'test_letters_total', help: 'Letters.', labels: ['reader'] });
  letters.add({ reader: 'a' }, 0);
  letters.add({ reader: 'b' });
  letters.add({ reader: 'b' }, 2);
  expect(await samples('test_letters')).toEqual([
    'test_letters_total{reader="a"} 0',
    'test_letters_total{reader="b"} 3',
  ]);
});

test.each<[what: string, name: string, source: () => number | undefined | Promise<number>, shown: string[]]>([
  ['a number', 'test_now', () => 4, ['test_now 4']],
  ['a later number', 'test_later', async () => 5, ['test_later 5']],
  ['nothing: it is not known', 'test_unknown', () => undefined, []],
  ['a failure', 'test_failed', () => Promise.reject(new Error('away')), []],
  ['a failure at once', 'test_thrown', () => JSON.parse('{'), []],
])('a gauge shows what its source says: %s', async (_what, name, source, shown) => {
  gauge({ name, help: 'x' }).from(source);
  expect(await samples(name)).toEqual(shown);
});

test('a source that fails takes no other one along, and one that has ended is not shown', async () => {
  const fill = gauge({ name: 'test_fill', help: 'x', labels: ['stream'] });
  fill.from(() => [[{ stream: 'a' }, 1]]);
  fill.from(() => Promise.reject(new Error('away')));
  const end = fill.from(() => [[{ stream: 'b' }, 2]]);
  expect(await samples('test_fill')).toEqual(['test_fill{stream="a"} 1', 'test_fill{stream="b"} 2']);
  end();
  expect(await samples('test_fill')).toEqual(['test_fill{stream="a"} 1']);
});

describe('sources that hang', () => {
  const forever = () => new Promise<number>(() => {});

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('are left out, however many, and the page is there within a second with all others', async () => {
    const ends = ['test_hanging_1', 'test_hanging_2'].map((name) => gauge({ name, help: 'x' }).from(forever));
    gauge({ name: 'test_hanging_not', help: 'x' }).from(() => 1);
    const page = samples('test_hanging');
    await vi.advanceTimersByTimeAsync(900);
    expect(await Promise.race([page, 'no page'])).toEqual(['test_hanging_not 1']);
    for (const end of ends) end();
  });

  test('show how the question before has ended', async () => {
    const answers = [
      async () => 1,
      () => new Promise<number>((resolve) => setTimeout(resolve, 2_000, 0)),
      forever,
      forever,
    ];
    const ask = atMostEvery(5_000, async () => answers.shift()?.() ?? 9);
    const end = gauge({ name: 'test_up', help: 'x' }).from(ask);
    const shown: string[][] = [];
    for (const _scrape of [...answers]) {
      void samples('test_up').then((found) => shown.push(found));
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(shown).toEqual([['test_up 1'], ['test_up 1'], ['test_up 0'], []]);
    end();
  });
});

test('a gauge without a value has no sample', async () => {
  gauge({ name: 'test_unset', help: 'x' });
  expect(await samples('test_unset')).toEqual([]);
});

test('a name can be taken once', () => {
  counter({ name: 'test_twice_total', help: 'x' });
  expect(() => gauge({ name: 'test_twice_total', help: 'x' })).toThrow('there is a metric test_twice_total already');
});

test('what many ask is done at most once in its time, a failure too', async () => {
  let [nowMs, asked] = [0, 0];
  const ask = atMostEvery(
    1_000,
    async () => {
      asked += 1;
      if (asked === 2) throw new Error('away');
      return asked;
    },
    () => nowMs,
  );
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  nowMs = 1_000;
  await expect(ask()).rejects.toThrow('away');
  await expect(ask()).rejects.toThrow('away');
  nowMs = 2_000;
  expect(await ask()).toBe(3);
});

test('OpenMetrics ends with its end, and names counters by their family', async () => {
  counter({ name: 'test_family_total', help: 'x' }).add({});
  const { text, contentType } = await metricsPage(OPEN_METRICS);
  expect(contentType).toMatch(/^application\/openmetrics-text/);
  expect(text).toContain('# TYPE test_family counter\ntest_family_total 1\n');
  expect(text.endsWith('# EOF\n')).toBe(true);
});

test('without tracing a histogram has no exemplar', async () => {
  histogram({ name: 'test_seconds', help: 'x', buckets: [1, 2] }).observe({}, 1.5);
  expect(await samples('test_seconds', OPEN_METRICS)).toEqual([
    'test_seconds_bucket{le="1"} 0',
    'test_seconds_bucket{le="2"} 1',
    'test_seconds_bucket{le="+Inf"} 1',
    'test_seconds_sum 1.5',
    'test_seconds_count 1',
  ]);
});

function run(script: string, env: Record<string, string>): string {
  const args = ['--import', '@catchment/telemetry/start', '--input-type=module', '-e', script];
  return execFileSync(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
}

test.each([
  ['always_on', true],
  ['always_off', false],
])('a histogram leaves the trace of a request as an exemplar where it is kept: %s', (sampler, isKept) => {
  const script = `import { histogram, metricsPage, SpanKind, withSpan } from '@catchment/telemetry';
    const seconds = histogram({ name: 'test_seconds', help: 'x', buckets: [1] });
    await withSpan('x', { kind: SpanKind.SERVER }, async () => seconds.observe({}, 0.5));
    console.log((await metricsPage('${OPEN_METRICS}')).text);
    process.exit(0);`;
  const out = run(script, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_TRACES_SAMPLER: sampler });
  const exemplar = /^test_seconds_bucket\{le="1"\} 1 # \{trace_id="[0-9a-f]{32}",span_id="[0-9a-f]{16}"\} 0\.5 \d/m;
  if (isKept) expect(out).toMatch(exemplar);
  else expect(out).toMatch(/^test_seconds_bucket\{le="1"\} 1$/m);
});

test('each service of a process leaves its own traces as exemplars', () => {
  const script = `import { currentTraceparent, histogram, inService, metricsPage, SpanKind, withSpan } from '@catchment/telemetry';
    const seconds = histogram({ name: 'test_seconds', help: 'x', buckets: [1] });
    const work = (service, value) => inService(service, () => withSpan('x', { kind: SpanKind.SERVER }, async () => {
      seconds.observe({}, value);
      return currentTraceparent().split('-')[1];
    }));
    const ids = [await work('nodes', 0.5), await work('alarms', 0.25)];
    const exemplars = await Promise.all(['nodes', 'alarms'].map(async (service) =>
      (await metricsPage('${OPEN_METRICS}', service)).text.match(/^test_seconds_bucket\\{le="1"\\} 1 # \\{trace_id="(.*?)".*\\} (\\S+)/m).slice(1)));
    console.log(JSON.stringify({ ids, exemplars }));
    process.exit(0);`;
  const { ids, exemplars } = JSON.parse(run(script, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }));
  expect(exemplars).toEqual([
    [ids[0], '0.5'],
    [ids[1], '0.25'],
  ]);
});

test('METRICS=off counts nothing', () => {
  const script = `import { counter, metricsPage } from '@catchment/telemetry';
    counter({ name: 'test_total', help: 'x' }).add({});
    console.log((await metricsPage()).text);`;
  expect(run(script, { METRICS: 'off' }).trim()).toBe('');
});

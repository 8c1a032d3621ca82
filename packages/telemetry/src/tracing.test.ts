import { execFileSync } from 'node:child_process';

/** Returns what a process prints that traces by these settings. */
function run(script: string, sampler: string, share = ''): unknown {
  const args = ['--import', '@catchment/telemetry/start', '--input-type=module', '-e'];
  const whole = `import { commonTrace, currentTraceparent, extractTrace, injectTrace, SpanKind, withSpan } from '@catchment/telemetry';
    const kept = (n) => \`00-\${String(n).padStart(32, 'a')}-\${'b'.repeat(16)}-01\`;
    const idOf = (headers) => headers.traceparent?.split('-')[1];
    console.log(JSON.stringify(await (async () => { ${script} })() ?? null));
    process.exit(0);`;
  const env = {
    PATH: process.env.PATH,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: share,
  };
  const out = execFileSync(process.execPath, [...args, whole], { cwd: import.meta.dirname, env, encoding: 'utf8' });
  return JSON.parse(out);
}

const SERVER = '{ kind: SpanKind.SERVER }';
const DROPPED = `00-${'1'.padStart(32, '0')}-${'1'.padStart(16, '0')}-00`;

test('a server begins a trace, what it calls goes on with it', () => {
  const script = `return withSpan('a', ${SERVER}, async () => {
    const outer = injectTrace();
    const inner = await withSpan('b', { kind: SpanKind.CLIENT }, async () => injectTrace());
    return [idOf(outer) === idOf(inner), outer.traceparent !== inner.traceparent];
  });`;
  expect(run(script, 'always_on')).toEqual([true, true]);
});

test('a trace that is not kept is handed on as one, and nobody below begins another', () => {
  const script = `const headers = await withSpan('a', ${SERVER}, async () => injectTrace());
    const parent = extractTrace(headers);
    const below = await withSpan('b', { kind: SpanKind.SERVER, parent }, async () => [injectTrace(), currentTraceparent() ?? null]);
    return [headers, ...below];`;
  expect(run(script, 'always_off')).toEqual([{ traceparent: DROPPED }, { traceparent: DROPPED }, null]);
});

test.each([
  ['0', 0, 0],
  ['0.2', 300, 500],
  ['1', 2_000, 2_000],
  ['', 2_000, 2_000],
])('of 2000 requests the share %j is kept, as is all that such a caller calls', (share, least, most) => {
  const script = `let kept = 0;
    for (let n = 0; n < 2_000; n += 1) {
      const [outer, inner] = await withSpan('a', ${SERVER}, async () => {
        const headers = injectTrace();
        const below = { kind: SpanKind.SERVER, parent: extractTrace(headers) };
        return [headers, await withSpan('b', below, async () => injectTrace())].map(({ traceparent }) => traceparent.endsWith('1'));
      });
      if (outer !== inner) return 'a trace is kept in part';
      if (outer) kept += 1;
    }
    return kept;`;
  const kept = run(script, 'parentbased_traceidratio', share);
  expect(kept).toBeGreaterThanOrEqual(least);
  expect(kept).toBeLessThanOrEqual(most);
});

test.each([
  ['a server', 'SERVER', true],
  ['a consumer', 'CONSUMER', false],
  ['a producer', 'PRODUCER', false],
  ['a client', 'CLIENT', false],
  ['work inside', 'INTERNAL', false],
])('whether %s without a caller begins a trace', (_what, kind, begins) => {
  const script = `return withSpan('a', { kind: SpanKind.${kind} }, async () => 'traceparent' in injectTrace());`;
  expect(run(script, 'always_on')).toBe(begins);
});

test('a batch goes on with the first request whose trace is kept', () => {
  const script = `const linkedTraceparents = ['${DROPPED}', kept(7), kept(8)];
    return withSpan('a', { kind: SpanKind.CONSUMER, linkedTraceparents }, async () => idOf(injectTrace()) === idOf({ traceparent: kept(7) }));`;
  expect(run(script, 'always_on')).toBe(true);
});

test('a batch of requests of which none is kept leaves no span', () => {
  const script = `return withSpan('a', { kind: SpanKind.CONSUMER, linkedTraceparents: ['${DROPPED}', '${DROPPED}'] }, async () => injectTrace());`;
  expect(run(script, 'always_on')).toEqual({});
});

test('messages of one trace have that; those of two have none', () => {
  const script = `const of = (n) => extractTrace({ traceparent: kept(n) });
    return [commonTrace([of(1), of(1)]) !== undefined, commonTrace([of(1), of(2)]) === undefined, commonTrace([]) === undefined];`;
  expect(run(script, 'always_on')).toEqual([true, true, true]);
});

test.each([
  ['1', 1],
  ['0', 0],
])('of the share %s: attributes that are a function are made only for a trace that is kept', (share, expected) => {
  const script = `let made = 0;
    await withSpan('a', { kind: SpanKind.SERVER, attributes: () => ({ made: ++made }) }, async () => {});
    return made;`;
  expect(run(script, 'parentbased_traceidratio', share)).toBe(expected);
});

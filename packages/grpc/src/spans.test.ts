// Spans of calls: what a service graph is made of.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Span = {
  readonly name: string;
  readonly kind: number;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
};
const [SERVER, CLIENT, FAILED] = [2, 3, 2];
const WRITE = 'catchment.historic.v1.HistoricService/WriteNow';
const LIST = 'catchment.events.v1.EventsService/ListEvents';

const READ = 'for await (const _ of service.read())';
const cases: readonly {
  readonly what: string;
  readonly calls: string;
  readonly name: string;
  readonly isFailed: boolean;
}[] = [
  { what: 'a call', calls: 'await service.call();', name: WRITE, isFailed: false },
  {
    what: 'a call that fails',
    calls: `await service.call({ nodeRef: 'bad' }).catch(() => {});`,
    name: WRITE,
    isFailed: true,
  },
  { what: 'a stream', calls: `${READ};`, name: LIST, isFailed: false },
  {
    what: 'a stream that fails',
    calls: `try { for await (const _ of service.read({ nodeRef: 'bad' })); } catch {}`,
    name: LIST,
    isFailed: true,
  },
  {
    what: 'a stream that its reader leaves',
    calls: `for await (const _ of service.read({ nodeRef: 'long' })) break;`,
    name: LIST,
    isFailed: false,
  },
  {
    what: 'a stream that ends by its deadline, as those do that go on for ever',
    // Where the machine stands still, the deadline may pass before the service begins.
    calls: `for (let isBegun = false; !isBegun; )
      try { for await (const _ of service.read({ nodeRef: 'long', timeoutMs: 300 })) isBegun = true; } catch {}`,
    name: LIST,
    isFailed: false,
  },
];

/**
 * Spans of a process that makes all of these calls to a separate service, by a way of `WAYS`: each within a request
 * that is traced.
 */
function spansOf(way: number, sampler = 'always_on'): Span[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'spans-'));
  const requests = cases.map(
    ({ calls }, n) => `await withSpan('GET /${n}', { kind: SpanKind.SERVER }, async () => { ${calls} });`,
  );
  const script = `import { openService, WAYS } from './contract-fixture.ts';
    import { DomainError } from '@catchment/errors';
    import { shutdownTelemetry, SpanKind, withSpan } from '@catchment/telemetry';
    const failure = () => new DomainError('internal', 'INTERNAL', 'bad');
    const aborted = (signal) => signal.aborted ? undefined : new Promise((resolve) => signal.addEventListener('abort', resolve));
    const service = await openService(WAYS[${way}], {
      answer: (_context, { nodeRef }) => { if (nodeRef === 'bad') throw failure(); return 1; },
      send: async function* ({ signal }, nodeRef) {
        yield Buffer.from('a');
        if (nodeRef === 'bad') throw failure();
        if (nodeRef === 'long') await aborted(signal);
      },
    });
    ${requests.join('\n')}
    await service[Symbol.asyncDispose]();
    await shutdownTelemetry();
    process.exit(0);`;
  const args = ['--import', '@catchment/telemetry/start', '--input-type=module', '-e', script];
  const env = {
    PATH: process.env.PATH,
    TELEMETRY_FOLDER: folder,
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  };
  try {
    execFileSync(process.execPath, args, { cwd: import.meta.dirname, env, timeout: 60_000 });
    const text = readFileSync(path.join(folder, 'catchment.traces.jsonl'), { encoding: 'utf8', flag: 'a+' });
    const exported = text
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => JSON.parse(line).resourceSpans);
    return exported.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: { spans: Span[] }) => spans));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each([
  [0, 'over gRPC'],
  [1, 'over gRPC, sharing a stream'],
  [2, 'inside a process'],
])('way %i, %s', (way) => {
  let spans: Span[];
  beforeAll(() => {
    spans = spansOf(way);
  });

  test.each(cases.map((example, n) => ({ ...example, n })))(
    '$what has a span at its caller, and below it one at the service',
    ({ n, name, isFailed }) => {
      const root = spans.find((span) => span.name === `GET /${n}`);
      const client = spans.findLast(({ kind, parentSpanId }) => kind === CLIENT && parentSpanId === root?.spanId);
      const server = spans.find(({ kind, parentSpanId }) => kind === SERVER && parentSpanId === client?.spanId);
      for (const span of [client, server]) {
        const attributes = Object.fromEntries(
          (span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]),
        );
        expect({ name: span?.name, ...attributes }).toMatchObject({
          name,
          'rpc.system.name': 'grpc',
          'rpc.method': name,
        });
        expect(span?.status?.code === FAILED).toBe(isFailed);
        expect(attributes['error.type']).toBe(isFailed ? 'INTERNAL' : undefined);
      }
    },
  );
});

test('calls of traces that are not kept have no spans', () => {
  expect(spansOf(0, 'always_off')).toEqual([]);
});

// `npm run trace-tree -w e2e` draws one write that raises an alarm, as a tree of its spans, into docs/operations/telemetry.md.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { MODEL } from './api.ts';
import { startInstallation } from './installation.ts';

const PAGE = path.resolve(import.meta.dirname, '../../docs/operations/telemetry.md');
const [BEGIN, END] = ['<!-- trace-tree -->\n', '<!-- /trace-tree -->'];
const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const QUIET_LOOKS = 8;

type TracedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly service: string;
};

/** Reads all spans in a TELEMETRY_FOLDER: a line for each export. */
async function spansIn(folder: string): Promise<TracedSpan[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.traces.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  // The last line may be on its way.
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  return lines.flatMap((line) =>
    JSON.parse(line).resourceSpans.flatMap(({ resource, scopeSpans }: never) => {
      const attributes = (resource as { attributes: { key: string; value: { stringValue?: string } }[] }).attributes;
      const service = attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      return (scopeSpans as { spans: TracedSpan[] }[]).flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, service })),
      );
    }),
  );
}

/** Writes a line for each span, below its cause: who, kind, name, how long, and how long after the beginning. Equal neighbours are one. */
export function treeOf(spans: readonly TracedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parentSpanId = '' }) => (known.has(parentSpanId) ? parentSpanId : ''));
  const beganNs = spans.reduce(
    (least, { startTimeUnixNano: ns }) => (BigInt(ns) < least ? BigInt(ns) : least),
    BigInt('9'.repeat(20)),
  );
  const ms = (ns: bigint) => (Number(ns) / 1e6).toFixed(1).padStart(7);
  const lines: { text: string; times: number; at: string; took: string }[] = [];
  const add = (parent: string, depth: number) => {
    const children = (below.get(parent) ?? []).sort((a, b) =>
      BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1,
    );
    for (const { spanId, service, kind, name, startTimeUnixNano, endTimeUnixNano } of children) {
      const text = `${'  '.repeat(depth)}${service} ${KINDS[kind] ?? ''} ${name}`;
      const last = lines.at(-1);
      if (last?.text === text && !below.has(spanId)) last.times += 1;
      else
        lines.push({
          text,
          times: 1,
          at: ms(BigInt(startTimeUnixNano) - beganNs),
          took: ms(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)),
        });
      add(spanId, depth + 1);
    }
  };
  add('', 0);
  return lines.map(({ text, times, at, took }) => `${at} ${took}  ${text}${times > 1 ? ` × ${times}` : ''}`).join('\n');
}

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'traces-'));
  const env = {
    TELEMETRY_FOLDER: folder,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  const installation = await startInstallation({ env });
  try {
    const { api } = installation;
    const { sourceId } = await api.createSite();
    const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }];
    const level = await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Level', parentId: sourceId, states });
    const traceId = 'c0ffee'.padStart(32, '0');
    const put = (minute: number, value: number, headers = {}) =>
      api.put(
        `/nodes/${level._id}/historic/now`,
        { value, timestamp: new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString() },
        headers,
      );
    await put(0, 1);
    await put(1, 6.5, { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` });
    let [count, quiet] = [0, 0];
    const spans = await until(
      async () => {
        const traced = (await spansIn(folder)).filter((span) => span.traceId === traceId);
        quiet = traced.length === count ? quiet + 1 : 0;
        count = traced.length;
        return traced.some(({ name }) => name === 'publish events.event.recorded.v1') && quiet > QUIET_LOOKS && traced;
      },
      { what: 'the alarm is in the trace', everyMs: 500, deadlineMs: 120_000 },
    );
    const text = await readFile(PAGE, 'utf8');
    const [head, rest = ''] = text.split(BEGIN);
    const [, tail = ''] = rest.split(END);
    await writeFile(
      PAGE,
      `${head}${BEGIN}\n\`\`\`text\n     at    took  who, kind, span (milliseconds)\n${treeOf(spans)}\n\`\`\`\n\n${END}${tail}`,
    );
  } finally {
    await installation.stop();
    await rm(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) await main();

import { setTimeout as delay } from 'node:timers/promises';
import { apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { type LoadRequest, runLoad } from '../loads/load.ts';
import { loadSeries } from '../loads/read-data.ts';
import { atMost, figure, type Row } from '../report.ts';
import { memoryBelow, memoryOf } from '../watch/memory.ts';

const REPORTS = 20;
const AT_ONCE = 4;
const SAMPLE_EVERY_MS = 100;
const IDLE_SECONDS = 5;
/** Chromium ends within this time once it is not used. */
const END_MS = (IDLE_SECONDS + 15) * 1_000;
const MIB = 1024 * 1024;
const SERIES = { firstMs: Date.UTC(2023, 0, 1), records: 7 * 24 * 60, stepMs: 60_000 };

/** An account has all places but one. */
export const REPORTS_ENV = { REPORT_IDLE_SECONDS: String(IDLE_SECONDS), REPORT_PAGES: String(AT_ONCE + 1) };

/** Measures reports of a page with two charts, and the memory of Chromium: of all its processes, shared pages counted once. */
export async function measureReports(installation: Installation, scale: number): Promise<Row[]> {
  const nodeId = await loadSeries(installation, { name: 'Level', ...SERIES });
  const reportId = await reportOf(installation, nodeId);
  const nowTime = new Date(SERIES.firstMs + (SERIES.records - 1) * SERIES.stepMs).toISOString();
  const request: LoadRequest = { method: 'GET', path: `/api/v1/nodes/${reportId}/report?nowTime=${nowTime}` };
  const load = (clients: number, each: number) => {
    const lists = Array.from({ length: clients }, () => Array.from({ length: each }, () => request));
    return runLoad(installation.url, lists, { headers: { 'x-api-key': installation.key }, expect: 200 });
  };
  const { render = 0 } = await installation.pids();
  const before = (await memoryOf(render)).pss;
  const cold = await load(1, 1);
  await load(1, 3);
  const warm = await load(1, Math.max(3, Math.ceil(REPORTS * scale)));

  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(SAMPLE_EVERY_MS)) peak = Math.max(peak, await memoryBelow(render));
  })();
  const many = await load(AT_ONCE, Math.max(2, Math.ceil((REPORTS / 2) * scale)));
  isOver = true;
  await watching;
  for (const deadline = performance.now() + END_MS; (await memoryBelow(render)) > 0 && performance.now() < deadline; )
    await delay(SAMPLE_EVERY_MS);
  const title = 'a report of a page with two charts';
  return [
    atMost(`${title}, Chromium not started: first`, cold.p50Ms, 'ms', 5_000),
    atMost(`${title}: p50`, warm.p50Ms, 'ms', 1_000),
    figure(`${title}, ${AT_ONCE} clients`, many.requests / many.seconds, 'reports/s'),
    atMost(`memory of Chromium with ${AT_ONCE} reports at once`, peak / MIB, 'MiB', 700),
    atMost('memory of Chromium afterwards', (await memoryBelow(render)) / MIB, 'MiB', 1),
    figure('memory of render before', before / MIB, 'MiB'),
    figure('memory of render afterwards', (await memoryOf(render)).pss / MIB, 'MiB'),
  ];
}

async function reportOf(installation: Installation, nodeId: string): Promise<string> {
  const call = apiOf(installation);
  const { workspaceId } = await call<{ workspaceId: string }>('GET', `/nodes/${nodeId}`);
  const image = { type: 'IMAGE', x: 40, width: 500 };
  const { _id } = await call<{ _id: string }>('POST', '/nodes', {
    _class: 'io.svc.models.node.Report',
    name: 'Weekly',
    parentId: workspaceId,
    links: [{ nodeId, name: 'Level' }],
    template: {
      elements: [
        {
          type: 'TEXT',
          x: 40,
          y: 20,
          width: 500,
          height: 30,
          content: '{{ THIS.name }} {{ Level.currentValueFormatted }}',
        },
        { ...image, y: 60, height: 250, source: '{{ Level.image }}' },
        { ...image, y: 320, height: 200, source: '{{ Level.image }}' },
        {
          type: 'TEXT',
          area: 'FOOTER',
          x: 40,
          y: 0,
          width: 500,
          height: 20,
          content: '{{ page_number }} of {{ page_count }}',
        },
      ],
    },
  });
  return _id;
}

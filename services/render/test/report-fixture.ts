import { findChromium } from '@catchment/service/find-chromium';
import { createLogger } from '@catchment/telemetry';
import { installedCommand } from '@catchment/testkit';
import { createDrawPool } from '../src/clients/drawing/draw-pool.ts';
import { barcodes } from '../src/clients/report/barcodes.ts';
import { Chromium, type ChromiumOptions } from '../src/clients/report/chromium/chromium.ts';
import { printReports } from '../src/clients/report/chromium/print-reports.ts';
import type { Parameter } from '../src/domain/parameter.ts';
import { drawingMemory } from '../src/usecases/drawing-memory.ts';
import type { Call } from '../src/usecases/ports.ts';
import type { ReportDeps } from '../src/usecases/render-report.ts';
import type { AlarmThen, LoadedReport, NodeObject, ReportLink } from '../src/usecases/report-ports.ts';

const HOUR = 3_600_000;

export const NOW_MS = Date.parse('2024-03-31T12:00:00Z');
const OWNER_ID = 'a'.repeat(24);

export const chromiumOf = async (more: Partial<ChromiumOptions> = {}): Promise<Chromium> => {
  await installedCommand('chromium', 'chromium');
  const executablePath = findChromium(process.env.PATH ?? '') ?? '';
  const log = createLogger('reports-test', { level: 'silent' });
  const hasSandbox = process.getuid?.() !== 0;
  return new Chromium({
    executablePath,
    searchPath: process.env.PATH ?? '',
    hasSandbox,
    warmPages: 1,
    idleMs: 60_000,
    maxReports: 1_000,
    log,
    ...more,
  });
};

export const callOf = (signal: AbortSignal = AbortSignal.timeout(60_000)): Call => ({
  token: 'token',
  deadlineMs: Date.now() + 60_000,
  signal,
});

/** Makes a parameter of which there is a record for each hour. */
export const parameterLink = (name: string, more: Record<string, unknown> = {}): ReportLink => {
  const nodeId = Buffer.from(name.padEnd(12).slice(0, 12)).toString('hex');
  return {
    name,
    nodeId,
    class: 'point.NumberPoint',
    pictureNodeId: '',
    object: {
      _id: nodeId,
      name: name.replaceAll('_', ' '),
      _path: `demo/River/Station/${name}`,
      currentValue: 1.5,
      currentValueFormatted: '1.50',
      currentTime: '2024-03-31T11:00:00.000Z',
      currentStateName: 'NORMAL',
      units: 'm',
      locationName: 'Station',
      image: nodeId,
      alarms: { stateAlarm: { status: { alarmState: 'CLEARED' } } },
      ...more,
    },
  };
};

export const reportOf = (
  template: Record<string, unknown>,
  links: readonly ReportLink[] = [],
  more: Partial<LoadedReport> = {},
): LoadedReport => ({
  nodeId: 'b'.repeat(24),
  ownerId: OWNER_ID,
  name: 'Monthly report',
  accountName: 'River Trust',
  timezone: 'Europe/Berlin',
  adjustForDst: true,
  template,
  above: {
    THIS: { _id: 'b'.repeat(24), name: 'Monthly report', _path: 'demo/River/Monthly report' },
    SOURCE: null,
    LOCATION: {
      _id: 'c'.repeat(24),
      name: 'Station',
      _path: 'demo/River/Station',
      currentValue: [52.5, 13.4],
      currentValueFormatted: '52.5, 13.4',
    },
    WORKSPACE: { _id: 'd'.repeat(24), name: 'River', _path: 'demo/River' },
  },
  links,
  pictures: new Map(),
  ...more,
});

export type World = {
  readonly deps: ReportDeps;
  readonly warnings: string[];
  readonly asked: { nowMs?: number }[];
  report: LoadedReport;
  alarms: AlarmThen[];
  files: Map<string, Uint8Array>;
  close(): Promise<void>;
};

/** Everything but Chromium and the drawing of charts is made up. */
export async function world(chromium: Chromium): Promise<World> {
  const drawing = await createDrawPool({ threads: 1, heapMegabytes: 256 });
  const warnings: string[] = [];
  const asked: { nowMs?: number }[] = [];
  const records = (startMs: number, endMs: number) => {
    const count = Math.max(0, Math.min(Math.floor((endMs - startMs) / HOUR), 500));
    const timestamps = Float64Array.from({ length: count }, (_, index) => startMs + index * HOUR);
    return { timestamps, values: timestamps.map((time) => 1.5 + Math.sin(time / (9 * HOUR))) };
  };
  const unused = async () => {
    throw new Error('not used');
  };
  const made: World = {
    report: reportOf({}),
    alarms: [],
    files: new Map(),
    warnings,
    asked,
    deps: {
      reports: {
        load: async (query) => {
          asked.push(query);
          return made.report;
        },
        warn: async (_report, problem) => void warnings.push(problem),
      },
      alarms: { at: async () => made.alarms },
      printing: printReports(() => chromium),
      reportFiles: { read: async (nodeId) => made.files.get(nodeId) },
      web: { fetch: unused },
      pictures: drawing,
      barcodes,
      nodes: {
        get: async (nodeRef) => parameterOf(made.report.links.find(({ nodeId }) => nodeId === nodeRef)?.object ?? {}),
        named: unused,
        linked: unused,
      },
      records: {
        read: async (_parameter, { startMs, endMs }) => records(startMs, endMs),
        outline: async (_parameter, { startMs, endMs }) => ({ ...records(startMs, endMs), isWhole: true }),
        aggregate: unused,
        rows: unused,
        edges: unused,
      },
      qualities: { colors: unused },
      preferences: { categories: async () => new Set<string>() },
      drawing,
      memory: drawingMemory({ mib: 1_000, waiting: 10 }),
      maxRecords: 10_000,
      maxBytes: 50 * 1024 * 1024,
    },
    close: () => drawing.close(),
  };
  return made;
}

export const parameterOf = (object: NodeObject): Parameter => ({
  nodeId: String(object._id),
  workspaceId: 'w',
  name: String(object.name),
  path: String(object._path),
  units: String(object.units),
  valueType: 'NUMBER',
  displayType: 'VALUE',
  states: { statesType: 'RANGE', states: [], hysteresis: 0 },
  chart: {},
});

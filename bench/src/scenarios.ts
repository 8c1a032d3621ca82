import { measureEvaluation } from './background/measure-evaluation.ts';
import { measureProcessing } from './background/measure-processing.ts';
import { measureSchedules } from './background/measure-schedules.ts';
import type { Installation, Processes, startInstallation } from './installation.ts';
import { measureCalls } from './machines/measure-calls.ts';
import { MACHINE_ENV, measureMachine } from './machines/measure-machine.ts';
import { measureMemory } from './machines/measure-memory.ts';
import { measurePods, PODS_ENV } from './machines/measure-pods.ts';
import { measureProcesses } from './machines/measure-processes.ts';
import { measureShards, SHARDS_ARGS } from './machines/measure-shards.ts';
import { measureNodeLines } from './nodes/measure-node-lines.ts';
import { measureNodes } from './nodes/measure-nodes.ts';
import { measureOutdated } from './nodes/measure-outdated.ts';
import { measureConsole } from './pages/measure-console.ts';
import { measureDashboard } from './pages/measure-dashboard.ts';
import { measurePublic } from './pages/measure-public.ts';
import { measurePush, PUSH_ENV } from './pages/measure-push.ts';
import { measureReports, REPORTS_ENV } from './pages/measure-reports.ts';
import { measureFairness } from './promises/measure-fairness.ts';
import { measureLag } from './promises/measure-lag.ts';
import { measurePromises } from './promises/measure-promises.ts';
import { measureCharts } from './reads/measure-charts.ts';
import { measureEvents } from './reads/measure-events.ts';
import { measureFormats } from './reads/measure-formats.ts';
import { measureLimitedReads } from './reads/measure-limited-reads.ts';
import { measureReads } from './reads/measure-reads.ts';
import type { Row } from './report.ts';
import { measureFiles } from './writes/measure-files.ts';
import { MODEMS_ENV, measureModems } from './writes/measure-modems.ts';
import { MQTT_ENV, measureMqtt } from './writes/measure-mqtt.ts';
import { measureSizes } from './writes/measure-sizes.ts';
import { measureTelemetry } from './writes/measure-telemetry.ts';

/** A scenario measures at an installation that was started for it, or without any. */
export type Scenario = { readonly title: string } & (
  | {
      /** @param seconds modems and clients of MQTT send so long */
      readonly measure: (installation: Installation, scale: number, seconds: number) => Promise<Row[]>;
      readonly settings?: Parameters<typeof startInstallation>[0];
      /** It is measured with each of these numbers of processes, unless --processes names one. */
      readonly processes?: readonly Processes[];
    }
  | { readonly apart: (scale: number) => Promise<Row[]> }
);

/** A part of the bench is a row, in the order in which all are measured. Writes, whose classes need other servers, are in main.ts. */
export const SCENARIOS = {
  reads: [{ title: 'Reads', measure: measureReads }],
  'limited-reads': [{ title: 'Reads by limit', measure: measureLimitedReads }],
  formats: [{ title: 'Formats of answers', measure: measureFormats }],
  charts: [{ title: 'Charts', measure: measureCharts }],
  reports: [{ title: 'Reports', measure: measureReports, settings: { env: REPORTS_ENV } }],
  nodes: [{ title: 'Nodes (a million are written first)', measure: measureNodes }],
  'node-lines': [{ title: 'Search and tree of the console, 50 000 nodes', measure: measureNodeLines }],
  promises: [{ title: 'When changes take effect', measure: measurePromises }],
  shards: [{ title: 'One of two InfluxDBs hangs', measure: measureShards, settings: { args: SHARDS_ARGS } }],
  fairness: [{ title: 'Fairness', measure: measureFairness }],
  lag: [{ title: 'Neighbours of long work', measure: measureLag, processes: ['1', 'each'] }],
  memory: [{ title: 'Memory', measure: measureMemory }],
  machine: [{ title: 'One machine', measure: measureMachine, settings: { processes: '1', env: MACHINE_ENV } }],
  pods: [{ title: 'Memory of pods under loads of devices', measure: measurePods, settings: { env: PODS_ENV } }],
  outdated: [{ title: 'Outdated sources', measure: measureOutdated }],
  evaluation: [{ title: 'Evaluation', apart: measureEvaluation }],
  events: [{ title: 'Events', measure: measureEvents, processes: ['1', 'each'] }],
  push: [
    { title: 'Push', measure: measurePush, settings: { env: PUSH_ENV } },
    { title: 'Public pages', measure: measurePublic },
  ],
  processing: [{ title: 'Programs', measure: measureProcessing }],
  schedules: [{ title: 'Schedules', measure: measureSchedules }],
  mqtt: [{ title: 'MQTT, class accepted', measure: measureMqtt, settings: { env: MQTT_ENV }, processes: ['each'] }],
  modems: [
    { title: 'Modems, class accepted', measure: measureModems, settings: { env: MODEMS_ENV }, processes: ['each'] },
  ],
  files: [{ title: 'Files, class accepted', measure: measureFiles }],
  dashboard: [{ title: 'Dashboard in a browser', apart: measureDashboard }],
  console: [{ title: 'The console in a browser, 50 000 nodes', measure: measureConsole, settings: { processes: '1' } }],
  telemetry: [{ title: 'Telemetry', apart: measureTelemetry }],
  sizes: [{ title: 'Sizes', measure: measureSizes }],
  processes: [{ title: 'Processes of the services', apart: measureProcesses }],
  calls: [{ title: 'Calls inside a process, processor time of both sides', apart: measureCalls }],
} satisfies Readonly<Record<string, readonly Scenario[]>>;

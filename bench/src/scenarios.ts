import type { Installation, Processes, startInstallation } from './installation.ts';
import { measureCalls } from './measure-calls.ts';
import { measureCharts } from './measure-charts.ts';
import { measureConsole } from './measure-console.ts';
import { measureDashboard } from './measure-dashboard.ts';
import { measureEvaluation } from './measure-evaluation.ts';
import { measureEvents } from './measure-events.ts';
import { measureFairness } from './measure-fairness.ts';
import { measureFiles } from './measure-files.ts';
import { measureFormats } from './measure-formats.ts';
import { measureLag } from './measure-lag.ts';
import { measureLimitedReads } from './measure-limited-reads.ts';
import { MACHINE_ENV, measureMachine } from './measure-machine.ts';
import { measureMemory } from './measure-memory.ts';
import { MODEMS_ENV, measureModems } from './measure-modems.ts';
import { MQTT_ENV, measureMqtt } from './measure-mqtt.ts';
import { measureNodeLines } from './measure-node-lines.ts';
import { measureNodes } from './measure-nodes.ts';
import { measureOutdated } from './measure-outdated.ts';
import { measurePods, PODS_ENV } from './measure-pods.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureProcessing } from './measure-processing.ts';
import { measurePromises } from './measure-promises.ts';
import { measurePublic } from './measure-public.ts';
import { measurePush, PUSH_ENV } from './measure-push.ts';
import { measureReads } from './measure-reads.ts';
import { measureReports, REPORTS_ENV } from './measure-reports.ts';
import { measureSchedules } from './measure-schedules.ts';
import { measureShards, SHARDS_ARGS } from './measure-shards.ts';
import { measureSizes } from './measure-sizes.ts';
import { measureTelemetry } from './measure-telemetry.ts';
import type { Row } from './report.ts';

/** A measurement at an installation that was started for it, or without any. */
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

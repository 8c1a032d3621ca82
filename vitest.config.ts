import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { TEST_FILES_ENV } from './scripts/run-vitest.ts';
import { BusyProcessors } from './scripts/test-order.ts';

// Scripts of their own run files of other names (scripts/test-kafka.ts and its like), `npm test` in a workspace those of its folder.
const FILES = process.env[TEST_FILES_ENV] ?? '**/*.test.ts';
/** Files that are about what a process has once: its metrics, its services, its turns of the event loop, the session of its page. */
const OWN_PROCESS = [
  'packages/bus/src/bus.test.ts',
  'packages/bus/src/refusals.test.ts',
  'packages/grpc/src/contract.test.ts',
  'packages/pg/test/full-disk.int.test.ts',
  'packages/service/src/service.test.ts',
  'packages/telemetry/src/refused-writes.test.ts',
  'packages/telemetry/src/services.test.ts',
  'packages/telemetry/src/otlp/otlp.test.ts',
  'packages/telemetry/src/metrics/event-loop.test.ts',
  'packages/telemetry/src/metrics/metrics.test.ts',
  'services/devices/src/sources/usecases/acquisition-count.test.ts',
  'services/gateway/test/edge.int.test.ts',
  'services/gateway/test/floods.int.test.ts',
  'services/gateway/test/pages.int.test.ts',
  'services/gateway/test/people.int.test.ts',
  'services/gateway/test/push.int.test.ts',
  'services/historic/test/influx-full-disk.int.test.ts',
  'services/nodes/test/backup-metrics.int.test.ts',
  'services/processing/test/processing-execution.int.test.ts',
  'web/src/data/alarms/alarms.test.ts',
  'web/src/data/streams/connection.test.ts',
  'web/src/data/records/records.test.ts',
  'web/src/data/requests/send.test.ts',
].filter((file) => path.matchesGlob(file, FILES));
const NOT_OURS = ['**/node_modules/**', '**/.catchment/**'];
const project = (name: string, test: object) => ({ extends: true as const, test: { name, ...test } });

// One runner for unit, integration and end-to-end tests; `npm test -- tenancy` narrows it down.
export default defineConfig({
  test: {
    globals: true,
    // Node runs TypeScript by itself. A process runs one file after the other, and what they import is loaded once.
    pool: 'forks',
    isolate: false,
    // A process has what hundreds of files load: garbage that stays young is not looked at with it.
    execArgv: ['--max-semi-space-size=64'],
    // On two cores: most files wait for timers and servers more than they compute.
    maxWorkers: 5,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: BusyProcessors },
    // Ends what hangs: no promise of how long a test takes, on a machine that does other things too.
    testTimeout: 600_000,
    // The turn of an installation may be waited for.
    hookTimeout: 1_800_000,
    // A line for each file is enough, however long its tests take.
    slowTestThreshold: 3_600_000,
    setupFiles: './packages/testkit/src/plain-environment.ts',
    // Opens a broker that starts PostgreSQL, NATS or InfluxDB when the first test asks for it.
    globalSetup: './packages/testkit/src/global-setup.ts',
    projects: [
      project('tests', { include: [FILES], exclude: [...NOT_OURS, ...OWN_PROCESS] }),
      ...(OWN_PROCESS.length > 0 ? [project('own process', { include: OWN_PROCESS, isolate: true })] : []),
    ],
  },
});

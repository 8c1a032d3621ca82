import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Seconds of the longest files, roughly, as `npm test` prints them at its end; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/tenancy': 145,
  'services/processing/test/processing-hostile': 120,
  'e2e/backup': 110,
  'cli/src/backup/restore-account': 95,
  'services/nodes/test/workspace-users': 95,
  'e2e/programs': 85,
  'e2e/attachments': 80,
  'services/historic/test/shards-log': 75,
  'cli/src/doctor/doctor': 75,
  'services/devices/test/downloads': 75,
  'e2e/real-files': 70,
  'e2e/durability': 70,
  'services/processing/test/processing-execution': 65,
  'services/nodes/test/sending': 65,
  'e2e/contract': 60,
  'e2e/large-reads': 55,
  'packages/servers/test/servers': 50,
  'deploy/monitoring/rule-files': 45,
  'cli/src/backup/restore-backup': 45,
  'services/nodes/test/claimed-email': 45,
  'services/nodes/test/report-schedules': 45,
  'e2e/connections': 45,
  'e2e/mqtt': 45,
  'services/nodes/test/fairness': 45,
  'services/processing/test/ratings': 45,
  'e2e/claimed-email': 40,
  'services/gateway/test/console': 40,
  'e2e/demonstration': 40,
  'e2e/push': 40,
  'e2e/deletion': 40,
  'e2e/guide': 40,
  'web/test/dashboard': 35,
  'services/gateway/test/http': 35,
  'e2e/source-files': 35,
  'e2e/public': 35,
  'services/nodes/test/classes': 35,
  'e2e/report': 35,
  'services/nodes/test/shown-values': 35,
  'services/nodes/test/templates': 35,
  'services/processing/test/processing-language': 35,
  'services/devices/test/devices': 35,
  'services/gateway/test/pages': 30,
  'services/gateway/test/people': 30,
  'services/render/test/report': 30,
  'services/processing/test/processing-hostile-runner': 30,
  'packages/bus/src/cut-readers': 30,
  'e2e/real-acquisition': 30,
  'services/devices/test/ftp': 30,
  'services/devices/test/mqtt': 30,
  'e2e/report-schedule': 30,
  'web/test/hostile': 20,
  'web/test/live': 20,
  'e2e/dashboard': 20,
  'web/test/address': 20,
  'web/test/charts': 20,
  'e2e/sdk': 5,
  'e2e/states-of-write-modes': 5,
  'e2e/modem': 5,
  'e2e/real-states': 5,
  'e2e/ratings': 5,
  'e2e/thread': 5,
  'e2e/fleet': 5,
  'e2e/templates': 3,
  'e2e/write-modes': 2,
};
const SECONDS_BY_KIND = [
  ['.e2e.test.ts', 30],
  ['.int.test.ts', 10],
  ['.test.ts', 1],
] as const;

/** @param file from the root of the project */
function secondsOf(file: string): number {
  const known = SECONDS[file.replace(/(\.(int|e2e))?\.test\.ts$/, '')];
  return known ?? SECONDS_BY_KIND.find(([ending]) => file.endsWith(ending))?.[1] ?? 1;
}

/** Files that take whole processors; others wait for servers and timers more than they compute. */
const isEndToEnd = (file: string): boolean => file.startsWith('e2e/');

/**
 * The order in which files begin: the longest first, since one that begins last would run alone at the end; and end-to-end files,
 * whose installations compute, spread among those that wait, so that the processors are busy all the time.
 */
export function orderOf(files: readonly string[]): readonly string[] {
  const kinds = [true, false].map((kind) => {
    const waiting = files.filter((file) => isEndToEnd(file) === kind).toSorted((a, b) => secondsOf(b) - secondsOf(a));
    return { waiting, total: waiting.reduce((sum, file) => sum + secondsOf(file), 0), begun: 0 };
  });
  return files.map(() => {
    const behind = kinds
      .filter(({ waiting }) => waiting.length > 0)
      .sort((a, b) => a.begun / a.total - b.begun / b.total);
    const [kind] = behind as [(typeof kinds)[number]];
    const file = kind.waiting.shift() as string;
    kind.begun += secondsOf(file);
    return file;
  });
}

/**
 * `orderOf`, after the files that have a separate process: a process that others share ends where one of them is next.
 */
export class BusyProcessors extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = new Map(files.map((file) => [path.relative(root, file.moduleId), file]));
    const sorted = orderOf([...byName.keys()]).map((name) => byName.get(name) as TestSpecification);
    return sorted.toSorted((a, b) => Number(b.project.config.isolate) - Number(a.project.config.isolate));
  }
}

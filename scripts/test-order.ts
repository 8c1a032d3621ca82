import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Seconds of the longest files, roughly, as `npm test` prints them at its end; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'services/processing/test/processing-hostile': 155,
  'e2e/backup': 120,
  'cli/src/backup/restore-account': 115,
  'services/historic/test/shards-log': 110,
  'e2e/real-files': 100,
  'services/nodes/test/sending': 90,
  'cli/src/doctor/doctor': 85,
  'deploy/monitoring/rule-files': 85,
  'e2e/tenancy': 75,
  'e2e/durability': 75,
  'web/test/dashboard': 75,
  'e2e/attachments': 70,
  'services/render/test/report': 70,
  'services/nodes/test/workspace-users': 70,
  'e2e/large-reads': 70,
  'services/processing/test/processing-execution': 65,
  'services/devices/test/downloads': 60,
  'e2e/fairness': 55,
  'e2e/programs': 55,
  'e2e/mqtt': 50,
  'cli/src/backup/restore-backup': 50,
  'e2e/connections': 50,
  'e2e/push': 45,
  'e2e/dashboard': 45,
  'web/test/hostile': 45,
  'e2e/claimed-email': 45,
  'e2e/source-files': 45,
  'e2e/demonstration': 45,
  'web/test/live': 40,
  'e2e/public': 40,
  'e2e/deletion': 40,
  'e2e/real-acquisition': 40,
  'services/nodes/test/report-schedules': 35,
  'services/nodes/test/claimed-email': 35,
  'services/gateway/test/pages': 35,
  'e2e/report': 35,
  'e2e/guide': 35,
  'services/nodes/test/bad-attributes': 30,
  'packages/bus/src/cut-readers': 30,
  'services/processing/test/processing-hostile-runner': 30,
  'e2e/current-values': 10,
  'e2e/real-states': 10,
  'e2e/modem': 10,
  'e2e/thread': 5,
  'e2e/ratings': 5,
  'e2e/fleet': 4,
  'e2e/templates': 3,
  'e2e/write-modes': 3,
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

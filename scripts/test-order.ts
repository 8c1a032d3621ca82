import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** `npm test` prints the seconds of the longest files at its end, roughly; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/backup': 155,
  'services/processing/test/processing-hostile': 95,
  'cli/src/doctor/doctor': 75,
  'e2e/tenancy': 75,
  'services/devices/test/s3': 75,
  'cli/src/backup/restore-backup': 70,
  'services/devices/test/downloads': 70,
  'e2e/durability': 60,
  'e2e/real-files': 60,
  'services/processing/test/processing-execution': 60,
  'services/render/test/report': 60,
  'cli/src/backup/restore-account': 55,
  'e2e/attachments': 55,
  'e2e/large-reads': 55,
  'services/historic/test/shards-log': 55,
  'services/nodes/test/sending': 55,
  'e2e/contract': 50,
  'e2e/mqtt': 50,
  'e2e/notifications': 50,
  'services/nodes/test/claimed-email': 50,
  'web/test/dashboard': 50,
  'e2e/connections': 45,
  'e2e/programs': 45,
  'e2e/webhooks': 45,
  'services/gateway/test/console': 45,
  'services/nodes/test/fairness': 45,
  'services/nodes/test/report-schedules': 45,
  'services/processing/test/ratings': 45,
  'deploy/monitoring/rule-files': 40,
  'e2e/dashboard': 40,
  'packages/servers/test/servers': 40,
  'services/devices/test/devices': 40,
  'e2e/clients': 35,
  'e2e/push': 35,
  'services/devices/test/mqtt': 35,
  'services/gateway/test/people': 35,
  'services/nodes/test/templates': 35,
  'services/processing/test/processing-language': 35,
  'web/test/hostile': 35,
  'packages/bus/src/cut-readers': 30,
  'services/devices/test/ftp': 30,
  'services/gateway/test/http': 30,
  'services/gateway/test/pages': 30,
  'services/nodes/test/bad-attributes': 30,
  'services/nodes/test/people': 30,
  'services/nodes/test/template-property': 30,
  'services/nodes/test/template-scale': 30,
  'services/nodes/test/workspace-users': 30,
  'web/test/live': 30,
  'e2e/people': 25,
  'e2e/source-files': 25,
  'services/devices/test/hostile-servers': 25,
  'services/devices/test/mail': 25,
  'services/historic/test/recent-records': 25,
  'services/historic/test/shards': 25,
  'services/nodes/test/classes': 25,
  'services/nodes/test/security': 25,
  'services/nodes/test/shown-values': 25,
  'services/processing/test/processing-hostile-runner': 25,
  'web/test/charts': 25,
  'packages/bus/src/bus': 20,
  'packages/service/src/service': 20,
  'services/alarms/test/waiting': 20,
  'services/devices/test/sftp': 20,
  'services/gateway/test/floods': 20,
  'services/historic/test/outlines': 20,
  'services/historic/test/shard-moves': 20,
  'services/nodes/test/list-plans': 20,
  'services/render/test/gallery/gallery': 20,
  'web/test/address': 20,
  'cli/src/simulate/modem/simulate-modem': 15,
  'e2e/chart-peaks': 15,
  'e2e/class-namespace': 15,
  'e2e/cli': 15,
  'e2e/console': 15,
  'e2e/current-values': 15,
  'e2e/reference': 15,
  'e2e/report-schedule': 15,
  'e2e/traces': 15,
  'packages/bus/src/stalls': 15,
  'packages/bus/src/stream-restore': 15,
  'packages/servers/src/postgres-pair': 15,
  'packages/telemetry/src/tracing': 15,
  'services/devices/src/reading/usecases/archive/members': 15,
  'services/render/test/gallery/pictures': 15,
  'e2e/real-states': 10,
  'e2e/report': 10,
  'e2e/states-of-write-modes': 10,
  'e2e/thread': 10,
  'packages/grpc/src/spans': 10,
  'e2e/modem': 7,
  'e2e/sdk': 7,
  'e2e/templates': 6,
  'e2e/ratings': 5,
  'e2e/fleet': 4,
  'e2e/write-modes': 4,
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

/** These files have the same installation one after the other (e2e/src/lent-installation.ts). */
export const TURNS: readonly (readonly string[])[] = [
  ['attachments', 'clients', 'durability', 'fairness', 'mqtt', 'push', 'source-files'],
  ['claimed-email', 'notifications', 'people', 'programs', 'report-schedule', 'webhooks'],
].map((names) => names.map((name) => `e2e/${name}.e2e.test.ts`));

/** Files of one kind should not begin together: those that wait for each other's turn, and those that take whole processors. */
function kindOf(file: string): number {
  const turn = TURNS.findIndex((files) => files.includes(file));
  if (turn >= 0) return turn;
  return file.startsWith('e2e/') ? TURNS.length : TURNS.length + 1;
}

/**
 * Returns the order in which files begin: the longest first, since one that begins last would run alone at the end; and the files of each
 * kind spread evenly: end-to-end files, whose installations compute, among those that wait for servers and timers.
 */
export function orderOf(files: readonly string[]): readonly string[] {
  const kinds = [...Map.groupBy(files, kindOf)]
    .toSorted(([a], [b]) => a - b)
    .map(([, ofKind]) => {
      const waiting = ofKind.toSorted((a, b) => secondsOf(b) - secondsOf(a));
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
 * `orderOf` orders the files after those that have a separate process: a process that others share ends where one of them is next.
 */
export class BusyProcessors extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = new Map(files.map((file) => [path.relative(root, file.moduleId), file]));
    const sorted = orderOf([...byName.keys()]).map((name) => byName.get(name) as TestSpecification);
    return sorted.toSorted((a, b) => Number(b.project.config.isolate) - Number(a.project.config.isolate));
  }
}

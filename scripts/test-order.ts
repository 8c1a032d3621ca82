import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Seconds of the longest files, roughly, as `npm test` prints them at its end; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/backup': 100,
  'e2e/real-files': 95,
  'e2e/durability': 85,
  'e2e/tenancy': 75,
  'e2e/programs': 70,
  'e2e/contract': 60,
  'e2e/reference': 60,
  'e2e/fairness': 50,
  'e2e/large-reads': 50,
  'e2e/attachments': 50,
  'e2e/deletion': 45,
  'e2e/notifications': 40,
  'e2e/dashboard': 45,
  'e2e/guide': 40,
  'e2e/webhooks': 40,
  'e2e/claimed-email': 40,
  'e2e/demonstration': 38,
  'e2e/mqtt': 38,
  'e2e/push': 38,
  'e2e/connections': 36,
  'services/processing/test/processing-hostile': 100,
  'cli/src/backup/restore-account': 95,
  'services/historic/test/shards-log': 80,
  'web/test/dashboard': 85,
  'cli/src/doctor/doctor': 85,
  'deploy/monitoring/rule-files': 75,
  'services/nodes/test/sending': 75,
  'services/render/test/report': 65,
  'services/nodes/test/workspace-users': 55,
  'packages/servers/test/servers': 50,
  'services/processing/test/processing-execution': 50,
  'cli/src/backup/restore-backup': 48,
  'web/test/charts': 45,
  'services/devices/test/downloads': 36,
  'services/processing/test/processing-hostile-runner': 33,
  'services/nodes/test/fairness': 32,
  'packages/bus/src/cut-readers': 32,
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

/** The longest files first: one that begins last would run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = (file: TestSpecification) => secondsOf(path.relative(root, file.moduleId));
    return files.toSorted((a, b) => seconds(b) - seconds(a));
  }
}

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Seconds of the longest files, roughly, as `npm test` prints them at its end; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/durability': 148,
  'e2e/programs': 105,
  'services/historic/test/shards-log': 91,
  'e2e/tenancy': 89,
  'e2e/backup': 77,
  'services/processing/test/processing-hostile': 72,
  'e2e/shards': 72,
  'e2e/notifications': 71,
  'cli/src/doctor/doctor': 67,
  'web/test/dashboard': 66,
  'e2e/attachments': 61,
  'e2e/fairness': 58,
  'e2e/connections': 53,
  'services/processing/test/processing-execution': 52,
  'e2e/fleet': 49,
  'e2e/claimed-email': 48,
  'services/render/test/report': 47,
  'services/nodes/test/sending': 46,
  'e2e/mqtt': 45,
  'e2e/webhooks': 43,
  'e2e/large-reads': 41,
  'e2e/push': 38,
  'e2e/contract': 35,
  'e2e/dashboard': 33,
  'e2e/source-files': 33,
  'e2e/guide': 33,
  'e2e/demonstration': 33,
  'cli/src/backup/restore-account': 32,
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

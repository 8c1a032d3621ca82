import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Seconds of the longest files, roughly, as `npm test` prints them at its end; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/durability': 115,
  'e2e/programs': 99,
  'e2e/backup': 91,
  'e2e/tenancy': 85,
  'e2e/fairness': 80,
  'services/processing/test/processing-hostile': 78,
  'e2e/attachments': 77,
  'e2e/claimed-email': 71,
  'e2e/chart-peaks': 70,
  'web/test/dashboard': 68,
  'cli/src/doctor/doctor': 63,
  'e2e/webhooks': 63,
  'e2e/mqtt': 59,
  'e2e/fleet': 57,
  'e2e/shards': 56,
  'services/historic/test/shards-log': 56,
  'e2e/large-reads': 55,
  'e2e/contract': 50,
  'e2e/source-files': 48,
  'e2e/guide': 46,
  'services/processing/test/processing-execution': 46,
  'e2e/connections': 44,
  'services/nodes/test/sending': 43,
  'e2e/deletion': 42,
  'e2e/reference': 40,
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

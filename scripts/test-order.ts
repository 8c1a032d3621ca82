import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = path.resolve(import.meta.dirname, '..');

/** Seconds of the longest files, roughly, as `npm test` prints them at its end; only the order matters. */
const SECONDS: Readonly<Record<string, number>> = {
  'e2e/durability': 159,
  'e2e/programs': 116,
  'e2e/tenancy': 88,
  'e2e/notifications': 85,
  'e2e/backup': 81,
  'e2e/connections': 77,
  'e2e/attachments': 72,
  'services/processing/test/processing-hostile': 72,
  'web/test/dashboard': 68,
  'e2e/shards': 67,
  'e2e/large-reads': 64,
  'cli/src/doctor/doctor': 63,
  'e2e/fleet': 57,
  'e2e/webhooks': 56,
  'services/historic/test/shards-log': 56,
  'e2e/claimed-email': 54,
  'e2e/contract': 51,
  'services/processing/test/processing-execution': 46,
  'services/nodes/test/sending': 43,
};
const SECONDS_BY_KIND = [
  ['.e2e.test.ts', 30],
  ['.int.test.ts', 10],
  ['.test.ts', 1],
] as const;

/** @param file from the root of the project */
export function secondsOf(file: string): number {
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

import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dashboardOf } from './panels.ts';
import { PLANS } from './plans.ts';

const FOLDER = path.join(import.meta.dirname, 'dashboards');

/** The files' texts, by name. */
export const kitFiles = (): ReadonlyMap<string, string> =>
  new Map(PLANS.map((plan) => [`${plan.name}.json`, `${JSON.stringify(dashboardOf(plan), null, 1)}\n`]));

export async function writeKit(): Promise<void> {
  await Promise.all([...kitFiles()].map(([name, text]) => writeFile(path.join(FOLDER, name), text)));
}

/** The committed files, as `kitFiles`. */
export async function committedKit(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(FOLDER)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(FOLDER, name), 'utf8')] as const)),
  );
}

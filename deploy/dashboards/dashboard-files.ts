import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dashboard } from './panels.ts';
import { DASHBOARDS } from './plans.ts';

/** Part of the chart, which makes ConfigMaps of them. */
const FOLDER = path.resolve(import.meta.dirname, '../chart/catchment/dashboards');

/** The files' texts, by name. */
export const dashboardFiles = (): ReadonlyMap<string, string> =>
  new Map(DASHBOARDS.map((plan) => [`${plan.name}.json`, `${JSON.stringify(dashboard(plan), null, 1)}\n`]));

export async function writeDashboards(): Promise<void> {
  const files = dashboardFiles();
  const old = (await readdir(FOLDER)).filter((name) => !files.has(name));
  await Promise.all([
    ...old.map((name) => rm(path.join(FOLDER, name))),
    ...[...files].map(([name, text]) => writeFile(path.join(FOLDER, name), text)),
  ]);
}

/** The committed files, as `dashboardFiles`. */
export async function committedDashboards(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(FOLDER);
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(FOLDER, name), 'utf8')] as const)),
  );
}

import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { outsideFolder } from './postgres-folder.ts';

/** Deletes all data of stopped servers under `dataDir`, and PostgreSQL's where it is outside: nothing brings it back. */
export async function removeServerData(dataDir: string): Promise<void> {
  const found = await readdir(dataDir).catch(() => []);
  const names = ['postgres', 'nats', 'influx', ...found.filter((name) => /^influx-[a-z0-9]+$/.test(name))];
  const folders = names.map((name) => path.join(path.resolve(dataDir), name));
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  const [postgres = ''] = folders;
  await rm(outsideFolder(postgres), { recursive: true, force: true });
}

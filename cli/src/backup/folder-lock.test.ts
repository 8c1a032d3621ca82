import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeDataFolder, temporaryDataFolder } from '@catchment/testkit';
import { FolderLock } from './folder-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryDataFolder();
});
afterEach(() => removeDataFolder(folder));

const lockFile = () => path.join(folder, 'backup.lock');
/** Makes the lock look as if its process had been silent for this long. */
const age = async (minutes: number) => {
  const then = new Date(Date.now() - minutes * 60_000);
  await utimes(lockFile(), then, then);
};

test('one process at a time has a folder', async () => {
  const first = await FolderLock.take(folder);
  await age(9);
  await expect(FolderLock.take(folder)).rejects.toThrow(
    `Another backup is written to ${folder}. One that was broken off blocks the folder for 10 minutes; where none is running, remove ${lockFile()}.`,
  );
  await first.confirm();
  await first.release();
  expect(await readdir(folder)).toEqual([]);
  await (await FolderLock.take(folder)).release();
});

test('the lock of a process that died is free after ten minutes; one that was only silent has lost the folder', async () => {
  const silent = await FolderLock.take(folder);
  await age(11);
  const next = await FolderLock.take(folder);
  await expect(silent.confirm()).rejects.toThrow('another one has taken the folder');
  const content = await readFile(lockFile(), 'utf8');
  await silent.release();
  expect(await readFile(lockFile(), 'utf8')).toBe(content);
  await next.confirm();
  await next.release();
});

test('a lock that somebody removed is lost', async () => {
  const lock = await FolderLock.take(folder);
  await rm(lockFile());
  await expect(lock.confirm()).rejects.toThrow('is not of this backup any more');
  await lock.release();
});

test('of several that find a lock left at the same time, one has the folder', async () => {
  for (let round = 0; round < 20; round += 1) {
    await writeFile(lockFile(), 'of one that died');
    await age(11);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => FolderLock.take(folder)));
    const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const confirmed = await Promise.allSettled(taken.map((lock) => lock.confirm()));
    for (const lock of taken) await lock.release();
    expect(confirmed.map(({ status }) => status)).toEqual(['fulfilled']);
    expect(await readdir(folder)).toEqual([]);
  }
});

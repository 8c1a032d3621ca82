// A folder of backups keeps content once, never half, and nothing that no backup needs.
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { removeDataFolder, temporaryDataFolder } from '@catchment/testkit';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { removeOld } from './backup-command.ts';
import { type BlobRef, FORMAT, type Manifest, manifestText, readManifest } from './manifest.ts';
import { Repository } from './repository.ts';
import { refuseOtherKey, verifyBackup } from './restore-backup.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryDataFolder();
});
afterEach(() => removeDataFolder(folder));

const manifest = (name: string, blobs: readonly BlobRef[], recipients: readonly string[] = []): Manifest => ({
  format: FORMAT,
  name,
  version: '1.0.0',
  startedMs: 0,
  cutMs: 0,
  finishedMs: 0,
  recipients,
  partitions: 1,
  shards: [],
  ends: {},
  floors: {},
  replay: [],
  schemas: [],
  streams: {},
  goneObjects: [],
  records: [{ ownerId: 'o', series: 1, records: 1, blobs }],
  objects: [],
});
const write = (repository: Repository, text: string) => repository.write(Readable.from([Buffer.from(text)]));

/** Makes a whole backup of these contents. @param keep as `--keep` */
async function backup(
  name: string,
  contents: readonly string[],
  { keep, recipients = [] as string[] } = {} as { keep?: number; recipients?: string[] },
) {
  await using repository = new Repository(folder, recipients);
  await repository.begin();
  const blobs: BlobRef[] = [];
  for (const content of contents) blobs.push(await write(repository, content));
  await repository.finish(manifest(name, blobs, recipients));
  const removed = keep === undefined ? [] : await repository.keepNewest(keep);
  return { blobs, removed, writtenBytes: repository.writtenBytes };
}

/** Files of content. */
const files = async () =>
  (await readdir(path.join(folder, 'blobs'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
const verify = async (name: string, decrypter?: Decrypter) => {
  const repository = new Repository(folder);
  await verifyBackup({ repository, manifest: await repository.manifest(name), say: () => {} }, { decrypter });
};

describe('--keep', () => {
  test('removes older backups and what they alone have; those that are kept are whole', async () => {
    await backup('1', ['in all', 'in 1 alone', 'in 1 and 3']);
    await backup('2', ['in all', 'in 2 alone']);
    const { removed } = await backup('3', ['in all', 'in 1 and 3', 'in 3 alone'], { keep: 2 });
    expect(removed).toEqual(['1']);
    expect(await new Repository(folder).names()).toEqual(['2', '3']);
    expect(await files()).toHaveLength(4);
    await verify('2');
    await verify('3');
    expect((await backup('4', ['in all'], { keep: 1 })).removed).toEqual(['2', '3']);
    expect(await files()).toHaveLength(1);
    await verify('4');
  });

  test('keeps all where there are no more, and removes what a backup that was broken off has left', async () => {
    await using broken = new Repository(folder);
    await broken.begin();
    await write(broken, 'of no backup');
    await writeFile(path.join(folder, 'blobs', 'draft.tmp'), 'half');
    await broken[Symbol.asyncDispose]();
    const { removed } = await backup('1', ['of 1'], { keep: 14 });
    expect(removed).toEqual([]);
    expect(await files()).toHaveLength(1);
    await verify('1');
  });

  test('keeps what backups for other recipients need', async () => {
    const identity = await generateX25519Identity();
    await backup('1', ['same'], { recipients: [await identityToRecipient(identity)] });
    await backup('2', ['same'], { keep: 2 });
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    await verify('1', decrypter);
    await verify('2');
  });

  test('removes nothing where one that is kept is damaged: nobody knows what it needs', async () => {
    await backup('1', ['of 1']);
    await backup('2', ['of 2']);
    await truncate(path.join(folder, 'backups', '2.json'), 100);
    await expect(backup('3', ['of 3'], { keep: 2 })).rejects.toThrow(
      'Backup 2 cannot be used: its manifest is damaged',
    );
    expect(await new Repository(folder).names()).toEqual(['1', '2', '3']);
    expect(await files()).toHaveLength(3);
  });

  test('what cannot be removed is reported, and does not take a backup for failed that was made', async () => {
    await backup('1', ['of 1']);
    await truncate(path.join(folder, 'backups', '1.json'), 100);
    await using repository = new Repository(folder);
    await repository.begin();
    await repository.finish(manifest('2', []));
    const said: string[] = [];
    expect(await removeOld(repository, 2, (line) => said.push(line))).toBe(false);
    expect(said).toEqual([
      expect.stringMatching(/^The backup is made, but older ones are not removed: Backup 1 cannot/),
    ]);
    expect(await removeOld(repository, 1, (line) => said.push(line))).toBe(true);
    expect(said.at(-1)).toBe('Backup 1 was removed');
  });

  test('a backup that is made meanwhile loses nothing: older ones are removed by the process that has the folder', async () => {
    await backup('1', ['of 1']);
    await using running = new Repository(folder);
    await running.begin();
    const blob = await write(running, 'of 2');
    await expect(backup('3', [], { keep: 1 })).rejects.toThrow('Another backup is written to');
    await running.finish(manifest('2', [blob]));
    await verify('1');
    await verify('2');
  });

  test('one that was silent until another one took the folder writes no manifest, and removes nothing', async () => {
    await using silent = new Repository(folder);
    await silent.begin();
    const blob = await write(silent, 'of the silent one');
    const then = new Date(Date.now() - 3_600_000);
    await utimes(path.join(folder, 'backup.lock'), then, then);
    await backup('2', ['of 2'], { keep: 1 });
    await expect(silent.finish(manifest('1', [blob]))).rejects.toThrow('another one has taken the folder');
    await expect(silent.keepNewest(1)).rejects.toThrow('is not of this backup any more');
    expect(await new Repository(folder).names()).toEqual(['2']);
    await verify('2');
  });
});

test('one that was silent writes no file any more: those of the backup that took over stay what its manifest names', async () => {
  const identity = await generateX25519Identity();
  const recipients = [await identityToRecipient(identity)];
  await using silent = new Repository(folder, recipients);
  await silent.begin();
  const then = new Date(Date.now() - 3_600_000);
  await utimes(path.join(folder, 'backup.lock'), then, then);
  await backup('2', ['same'], { recipients });
  const before = await files();
  await expect(write(silent, 'same')).rejects.toThrow('another one has taken the folder');
  expect(await files()).toEqual(before);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  await verify('2', decrypter);
});

test('where a manifest cannot be read no backup begins: its files would be written over', async () => {
  await backup('1', ['same']);
  // A disk that fails behaves like this: it cannot be read, whoever asks.
  await mkdir(path.join(folder, 'backups', '2.json'));
  await expect(backup('3', ['same'])).rejects.toMatchObject({ code: 'EISDIR' });
  await rm(path.join(folder, 'backups', '2.json'), { recursive: true });
  await writeFile(path.join(folder, 'backups', '2.json'), manifestText({ ...manifest('2', []), format: FORMAT + 1 }));
  await expect(backup('3', ['same'])).rejects.toThrow('use the version that made it');
  // A damaged backup cannot be restored anyhow.
  await writeFile(path.join(folder, 'backups', '2.json'), 'half');
  await backup('3', ['same']);
});

test('a small file shows another key', async () => {
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()];
  await backup('1', ['large'.repeat(10_000), 'small'], { recipients: [await identityToRecipient(identity)] });
  const repository = new Repository(folder);
  const refuse = async (key: string) => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(key);
    await refuseOtherKey({ repository, manifest: await repository.manifest('1'), decrypter, say: () => {} });
  };
  const [large] = (await Promise.all((await files()).map(async (file) => ({ file, ...(await stat(file)) })))).sort(
    (file, next) => next.size - file.size,
  );
  // Reading all of it fails by this one.
  await rm(large?.file ?? '');
  await refuse(identity);
  await expect(refuse(other)).rejects.toThrow(
    /^Backup 1 cannot be used:\n .*no identity matched any of the file's recip/,
  );
});

describe('content that is there', () => {
  test('is not written again', async () => {
    await backup('1', ['a', 'b']);
    expect((await backup('2', ['a', 'b'])).writtenBytes).toBe(0);
  });

  test('is written again where a file is short, as a full disk leaves it', async () => {
    const { blobs } = await backup('1', ['a'.repeat(10_000)]);
    const [file = ''] = await files();
    await truncate(file, (blobs[0]?.storedBytes ?? 0) - 1);
    await expect(verify('1')).rejects.toThrow('is not what was written');
    await backup('2', ['a'.repeat(10_000)]);
    await verify('2');
    await verify('1');
  });

  test('of a backup that was broken off is not trusted', async () => {
    {
      await using broken = new Repository(folder);
      await broken.begin();
      await write(broken, 'content');
    }
    const [file = ''] = await files();
    // The file is as long as it was, and wrong.
    await writeFile(file, Buffer.alloc((await readFile(file)).byteLength));
    expect((await backup('1', ['content'])).writtenBytes).toBeGreaterThan(0);
    await verify('1');
  });
});

test('a manifest of another format is refused, with what to do', () => {
  expect(() => readManifest(manifestText({ ...manifest('1', []), format: FORMAT + 1 }))).toThrow(
    `it has format ${FORMAT + 1}, and this version reads ${FORMAT}: use the version that made it`,
  );
});

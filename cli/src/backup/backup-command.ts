import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { countOf } from '@catchment/number-format';
import { Command } from 'commander';
import { wholeNumber } from '../api/api-options.ts';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { UsageError } from '../command-line/failure.ts';
import { version } from '../command-line/version.ts';
import { dataDirOption } from '../data-dir.ts';
import { errorText } from '../error-text.ts';
import { awaitBackends, BACKENDS_HELP, runningBackends } from './backends.ts';
import { decrypterFrom } from './blob-codec.ts';
import { createBackup } from './create-backup.ts';
import { type Manifest, totalsOf } from './manifest.ts';
import { Repository } from './repository.ts';
import { verifyBackup } from './restore-backup.ts';

type Create = JsonOption & {
  readonly to: string;
  readonly recipient: string[];
  readonly recipientFile?: string;
  readonly plain: boolean;
  readonly keep?: number;
  readonly dataDir: string;
};
type Read = JsonOption & { readonly from: string; readonly backup: string; readonly identity?: string };

const MIB = 1024 * 1024;

/** Writes every step as a line with the seconds since the start, to standard error: standard output is for results. */
export function progressLines(): (line: string) => void {
  const began = performance.now();
  return (line) => console.error(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}

/** `catchment backup …` */
export function backupCommand(): Command {
  const command = new Command('backup');
  command
    .command('create')
    .description('make a backup of one moment while everything runs: database, records, files, messages on their way')
    .requiredOption(
      '--to <folder>',
      'folder of backups, such as a mounted volume; content of earlier backups is not written again',
    )
    .option('--recipient <key>', 'encrypt for this age public key (age1…); repeat for several', collect, [])
    .option('--recipient-file <file>', 'the same, one key a line')
    .option('--plain', 'do not encrypt: everybody who reads the folder reads all data', false)
    .option('--keep <number>', 'afterwards remove all but this number of newest backups', wholeNumber(1, 10_000))
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
A backup has no secrets of the services (SERVICE_TOKEN_SECRET, logins of the servers, TLS keys): keep those elsewhere, and the age identity
in another place than the backups. It has people's password hashes and hashes of API keys.
Exit status: 0 = made, 7 = made, but older backups are not removed, anything else = not made.
${BACKENDS_HELP}

Examples:
  age-keygen -o identity.txt          (prints the public key; keep the file apart)
  catchment backup create --to /backups --recipient age1… --keep 14`,
    )
    .action(create);
  command
    .command('list')
    .description('one line for each backup, the oldest first')
    .requiredOption('--from <folder>', 'folder of backups')
    .option('--json', 'for programs', false)
    .action(async ({ from, json }: { from: string; json: boolean }) => list(new Repository(from), json));
  command
    .command('verify')
    .description('read all of a backup and compare it with what was written')
    .requiredOption('--from <folder>', 'folder of backups')
    .option('--backup <name>', 'which one', 'latest')
    .option('--identity <file>', 'age identity: decrypt too')
    .action(async (options: Read) => {
      const { repository, manifest } = await chosen(options);
      const key = await keyFor(manifest, options.identity, false);
      await verifyBackup({ repository, manifest, say: progressLines() }, key);
      const note = key ? '' : ' (not decrypted: no --identity)';
      const document = { ...documentOf(manifest), isDecrypted: key !== undefined };
      answer(options, document, () => `Backup ${manifest.name} is whole: ${summary(manifest)}${note}`);
    });
  return command;
}

/** Finds the backup that a command names. */
export async function chosen({ from, backup }: Read): Promise<{ repository: Repository; manifest: Manifest }> {
  const repository = new Repository(from);
  return { repository, manifest: await repository.manifest(backup) };
}

/** Returns the key of a backup; undefined = it is encrypted, and none was given. @throws Error where one is needed */
export async function keyFor(manifest: Manifest, identity: string | undefined, isNeeded: boolean) {
  if (manifest.recipients.length === 0) return { decrypter: undefined };
  if (identity !== undefined) return { decrypter: await decrypterFrom(identity) };
  if (isNeeded)
    throw new Error(`Backup ${manifest.name} is encrypted for ${manifest.recipients.join(', ')}: give --identity`);
  return undefined;
}

async function create(options: Create): Promise<void> {
  const recipients = [...options.recipient, ...(await keysOf(options.recipientFile))];
  if (recipients.length === 0 && !options.plain)
    throw new UsageError('Say for whom to encrypt (--recipient age1…, made by age-keygen), or --plain');
  if (recipients.length > 0 && options.plain) throw new Error('--plain and --recipient exclude each other');
  const say = progressLines();
  // The folder is its own until older backups are removed too.
  await using repository = new Repository(options.to, recipients);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`Broken off by ${signal}`);
      // The next try need not wait until the lock lapses; all else that was taken ends with its connection.
      void repository[Symbol.asyncDispose]().finally(() => process.exit(128 + constants.signals[signal]));
    });
  const backends = await runningBackends(options.dataDir);
  await awaitBackends(backends, say);
  const manifest = await createBackup({ backends, repository, recipients, version, say });
  const document = { ...documentOf(manifest), newBytes: repository.writtenBytes };
  answer(
    options,
    document,
    () => `Backup ${manifest.name}: ${summary(manifest)}, ${size(repository.writtenBytes)} of it new`,
  );
  if (manifest.goneObjects.length > 0)
    say(
      `${countOf(manifest.goneObjects.length, 'piece of a file was', 'pieces of files were')} removed while the backup was made, and not kept in it`,
    );
  if (options.keep !== undefined && !(await removeOld(repository, options.keep, say))) process.exitCode = EXIT.PARTLY;
}

/** @returns whether it is done; a backup that was made is not to be made again for that */
export async function removeOld(
  repository: Pick<Repository, 'keepNewest'>,
  keep: number,
  say: (line: string) => void,
): Promise<boolean> {
  try {
    for (const name of await repository.keepNewest(keep)) say(`Backup ${name} was removed`);
    return true;
  } catch (error) {
    say(`The backup is made, but older ones are not removed: ${errorText(error)}`);
    return false;
  }
}

async function list(repository: Repository, isJson: boolean): Promise<void> {
  const names = await repository.names();
  if (names.length === 0 && !isJson) console.log('There are no backups.');
  for (const name of names) {
    const manifest = await repository.manifest(name).catch((error: Error) => error);
    if (manifest instanceof Error) {
      process.exitCode = 1;
      console.log(isJson ? JSON.stringify({ name, damaged: manifest.message }) : `${name}  ${manifest.message}`);
      continue;
    }
    const { recipients } = manifest;
    console.log(
      isJson
        ? JSON.stringify(documentOf(manifest))
        : `${name}  ${recipients.length === 0 ? 'plain    ' : 'encrypted'}  ${summary(manifest)}`,
    );
  }
}

const documentOf = (manifest: Manifest) => {
  const { name, version, cutMs, recipients } = manifest;
  return { name, version, cutMs, recipients, ...totalsOf(manifest) };
};

function summary(manifest: Manifest): string {
  const { accounts, rows, series, records, objects, storedBytes } = totalsOf(manifest);
  return `${countOf(accounts, 'account')}, ${countOf(rows, 'row')}, ${countOf(records, 'record')} of ${series} series, ${countOf(objects, 'object')}, ${size(storedBytes)}`;
}

const size = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
const collect = (value: string, all: string[]): string[] => [...all, value];

async function keysOf(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--recipient-file: ${file} cannot be read (${error.code})`);
  });
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw new Error(`--recipient-file: ${file} has no key`);
  return keys;
}

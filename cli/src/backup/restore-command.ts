import { Command } from 'commander';
import { answer, type JsonOption } from '../command-line/answer.ts';
import { dataDirOption } from '../data-dir.ts';
import { hasState } from '../start/state.ts';
import { awaitBackends, BACKENDS_HELP, type Backends, backendsOf, runningBackends } from './backends.ts';
import { chosen, keyFor, progressLines } from './backup-command.ts';
import { inDataFolder } from './in-data-folder.ts';
import { restoreAccount } from './restore-account.ts';
import {
  codeFor,
  readWhole,
  refuseNotEmpty,
  refuseOtherKey,
  refuseOtherSettings,
  restoreBackup,
} from './restore-backup.ts';

type Options = JsonOption & {
  readonly from: string;
  readonly backup: string;
  readonly identity?: string;
  readonly dataDir: string;
  readonly account?: string;
};

/** `catchment restore` */
export function restoreCommand(): Command {
  return new Command('restore')
    .requiredOption('--from <folder>', 'folder of backups')
    .option('--backup <name>', 'which one (see "catchment backup list")', 'latest')
    .option('--identity <file>', 'age identity, where the backup is encrypted')
    .option(
      '--account <slug or id>',
      'only this account, into an installation that may have other accounts and may be running',
    )
    .addOption(dataDirOption())
    .addHelpText(
      'after',
      `
The whole backup is read, compared and decrypted before anything is changed. An installation that has data is refused. A local installation is
made in the data folder, and begins with the next "npm start".
${BACKENDS_HELP}

Example:
  catchment restore --from /backups --identity identity.txt`,
    )
    .action(async (options: Options) => {
      const { repository, manifest } = await chosen(options);
      const key = await keyFor(manifest, options.identity, true);
      const say = progressLines();
      const backup = { repository, manifest, decrypter: key?.decrypter, say };
      const named = backendsOf(process.env);
      // These checks can be made at once, before the long reading.
      await codeFor(manifest);
      await refuseOtherKey(backup);
      if (options.account !== undefined) {
        await readWhole(backup);
        const backends = await runningBackends(options.dataDir);
        await awaitBackends(backends, say);
        await restoreAccount({ ...backup, backends, account: options.account });
        const { account } = options;
        return answer(
          options,
          { backup: manifest.name, account },
          () => `Account ${account} of backup ${manifest.name} is restored`,
        );
      }
      if (named) refuseOtherSettings(named, manifest);
      // A backup that cannot be used leaves no folder behind.
      const isNew = named === undefined && !hasState(options.dataDir);
      if (isNew) await readWhole(backup);
      const work = async (backends: Backends, beginning: () => Promise<void>) => {
        // Reading all of a backup takes hours: what refuses it is looked for before, and once more behind it.
        if (!isNew) {
          await awaitBackends(backends, say);
          await refuseNotEmpty({ backends, manifest });
          await readWhole(backup);
        }
        await restoreBackup({ ...backup, backends, beginning });
      };
      await (named ? work(named, async () => {}) : inDataFolder(options.dataDir, manifest, say, work));
      answer(options, { backup: manifest.name }, () => `Backup ${manifest.name} is restored`);
    });
}

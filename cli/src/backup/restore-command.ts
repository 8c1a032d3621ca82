import { startServers } from '@catchment/servers';
import { Command } from 'commander';
import { DEFAULT_DATA_DIR } from '../account/connection.ts';
import { openState, readRunning, saveState } from '../start/state.ts';
import { BACKENDS_HELP, type Backends, backendsOf, localBackends, runningBackends } from './backends.ts';
import { chosen, keyFor, progressLines } from './backup-command.ts';
import type { Manifest } from './manifest.ts';
import { restoreAccount } from './restore-account.ts';
import { readWhole, refuseOtherSettings, restoreBackup } from './restore-backup.ts';

type Options = {
  readonly from: string;
  readonly backup: string;
  readonly identity?: string;
  readonly dataDir: string;
  readonly account?: string;
};

/** `catchment restore` */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('fill an empty installation from a backup; its services must not run')
    .requiredOption('--from <folder>', 'folder of backups')
    .option('--backup <name>', 'which one (see "catchment backup list")', 'latest')
    .option('--identity <file>', 'age identity, where the backup is encrypted')
    .option('--account <slug or id>', 'only this account, into an installation that may have others and may run')
    .option('--data-dir <folder>', 'data folder of a local installation', DEFAULT_DATA_DIR)
    .addHelpText(
      'after',
      `
All of the backup is read, compared and decrypted before anything is touched. An installation that has anything is refused. A local installation is
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
      // Before all of the backup is read.
      if (named && options.account === undefined) refuseOtherSettings(named, manifest);
      await readWhole(backup);
      if (options.account !== undefined) {
        const backends = await runningBackends(options.dataDir);
        await restoreAccount({ ...backup, backends, account: options.account });
        return console.log(`Account ${options.account} of backup ${manifest.name} is restored`);
      }
      const work = (backends: Backends) => restoreBackup({ ...backup, backends });
      await (named ? work(named) : inDataFolder(options.dataDir, manifest, say, work));
      console.log(`Backup ${manifest.name} is restored`);
    });
}

/** Runs the servers of a local installation meanwhile. */
async function inDataFolder(
  dataDir: string,
  { partitions, shards }: Manifest,
  say: (line: string) => void,
  work: (backends: Backends) => Promise<void>,
): Promise<void> {
  if (await readRunning(dataDir))
    throw new Error(`Catchment runs with the data in ${dataDir}: stop it with Ctrl-C there`);
  const state = await openState(dataDir);
  state.partitions = partitions;
  state.restored = true;
  await saveState(dataDir, state);
  await using servers = await startServers({ dataDir, log: say, moreInflux: shards });
  const { postgres, nats, influx, moreInflux } = servers;
  const more = [...moreInflux].map(([name, { url }]) => [name, url] as const);
  await work(localBackends({ databaseUrl: postgres.url, natsUrl: nats.url, influxUrl: influx.url }, more));
}

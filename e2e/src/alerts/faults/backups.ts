import { removeDataFolder, runSql, temporaryDataFolder } from '@catchment/testkit';
import type { Fault } from '../fault.ts';
import type { Scene } from '../scene.ts';

async function backUp({ installation }: Scene): Promise<void> {
  const folder = await temporaryDataFolder();
  try {
    await installation.command(['backup', 'create', '--to', folder, '--plain']);
  } finally {
    await removeDataFolder(folder);
  }
}

/** The order matters: an installation that has one backup never gets back to having none. */
export const BACKUP_FAULTS: readonly Fault[] = [
  {
    name: 'no-backup',
    what: 'nobody has made a backup; the repair makes one',
    alerts: ['CatchmentBackupMissing'],
    isThere: true,
    cause: async (scene) => () => backUp(scene),
  },
  {
    name: 'old-backup',
    what: 'the last backup was two days ago (its row says so); the repair makes one',
    alerts: ['CatchmentBackupTooOld'],
    cause: async (scene) => {
      await runSql(scene.postgresUrl, `UPDATE nodes.backups SET finished_time = finished_time - interval '2 days'`);
      return () => backUp(scene);
    },
  },
];

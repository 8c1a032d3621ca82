// A restore that is refused leaves an installation of `npm start` as it is.
import { removeDataFolder, temporaryDataFolder } from '@catchment/testkit';
import { openState, saveState } from '../start/state.ts';
import { inDataFolder } from './in-data-folder.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await temporaryDataFolder();
  await saveState(dataDir, { serviceTokenSecret: 'secret', partitions: 1, demonstrationLoaded: true });
});
afterEach(() => removeDataFolder(dataDir));

const MANIFEST = { partitions: 4, shards: [] };
const say = () => {};

test('one that is refused changes nothing of the state', async () => {
  const before = await openState(dataDir);
  const refused = inDataFolder(dataDir, MANIFEST, say, async () => {
    throw new Error('The installation is not empty');
  });
  await expect(refused).rejects.toThrow('The installation is not empty');
  expect(await openState(dataDir)).toEqual(before);
});

test('one that begins has the partitions of the backup, also where it is broken off', async () => {
  const broken = inDataFolder(dataDir, MANIFEST, say, async (_backends, beginning) => {
    await beginning();
    throw new Error('broken off');
  });
  await expect(broken).rejects.toThrow('broken off');
  expect(await openState(dataDir)).toMatchObject({ serviceTokenSecret: 'secret', partitions: 4, restored: true });
});

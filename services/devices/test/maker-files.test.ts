// Files as loggers and programs of others write them, without servers: what is proposed for one reads all of it, or says what is
// open (e2e/data/makers/README.md). `node services/devices/test/maker-table.ts` prints how each of them is read.
import { type MakerFile, makerFiles } from '@catchment/testkit';
import { readMakerFile } from './read-maker-file.ts';

test.each(makerFiles().map((file): [string, string, MakerFile] => [file.name, file.outcome, file]))(
  '%s: %s',
  async (_name, _outcome, file) => {
    const { problems } = await readMakerFile(file);
    expect(file.notYet === undefined ? problems : []).toEqual([]);
  },
);

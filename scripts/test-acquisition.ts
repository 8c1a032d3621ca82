// `npm run test:acquisition [-- [--all] [<part of a file's path>]]`: every TOA5, RDB, CSV and GPX file of the folder CATCHMENT_TEST_DATA through servers and
// clients of others, read back by the API and compared with a reading by Python; with --all each of them through every transport, otherwise through one that
// fetches and one that pushes. Needs Python 3, curl and, where sshd, mosquitto_pub or the packages of the servers are missing, the registries they come from.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const [part] = given.filter((argument) => argument !== '--all');
const child = spawn(
  process.execPath,
  [
    path.join(root, 'node_modules/.bin/jest'),
    ...['--runInBand', '--testMatch', '**/*.acquisition.ts'],
    ...(part ? ['-t', part] : []),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(given.includes('--all') && { ACQUISITION_ALL: '1' }),
      PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
      NODE_OPTIONS:
        `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
    },
  },
);
const [code] = (await once(child, 'close')) as [number | null];
process.exitCode = code ?? 1;

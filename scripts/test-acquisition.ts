// `npm run test:acquisition [-- [--all] [<part of a file's path>]]` sends every TOA5, RDB, CSV and GPX file of the folder
// CATCHMENT_TEST_DATA through servers and clients of others, read back by the API and compared with a reading by Python; with --all each of
// them through every transport, otherwise through one that fetches and one that pushes. Needs Python 3, curl and, where sshd, mosquitto_pub
// or the packages of the servers are missing, the registries they come from.
import { runVitest, TEST_FILES_ENV } from './run-vitest.ts';

const given = process.argv.slice(2);
const [part] = given.filter((argument) => argument !== '--all');
process.exitCode = await runVitest(part ? ['-t', part] : [], {
  [TEST_FILES_ENV]: '**/*.acquisition.ts',
  ...(given.includes('--all') && { ACQUISITION_ALL: '1' }),
});

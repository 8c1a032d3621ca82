import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultDataDir } from './data-dir.ts';
import { ROOT } from './start/paths.ts';
import { OWNER_EMAIL, signIn } from './start/welcome.ts';

test.each([
  ['of the environment', { CATCHMENT_DATA_DIR: '/srv/catchment' }, '/srv/catchment'],
  ['of the environment, from where one is', { CATCHMENT_DATA_DIR: 'here' }, path.resolve('here')],
  ['below the programs where the variable is empty', { CATCHMENT_DATA_DIR: '' }, path.join(ROOT, '.catchment')],
  ['below the programs where there is no variable', {}, path.join(ROOT, '.catchment')],
])('the data folder is the one %s', (_what, env, expected) => {
  expect(defaultDataDir(env)).toBe(expected);
});

test('no command has a folder of its own: all take --data-dir from here', async () => {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(path.join(import.meta.dirname, file), 'utf8')));
  const having = files.filter((_file, index) =>
    /option\('--data-dir|Option\('--data-dir|'\.catchment'/.test(texts[index] ?? ''),
  );
  expect(having).toEqual(['data-dir.ts']);
});

const START = { url: 'http://127.0.0.1:8080', key: 'k', activateUrl: undefined, dataDir: defaultDataDir() };

test.each([
  [
    'of a first start',
    { ...START, activateUrl: 'http://127.0.0.1:8080/auth/setupprofile/1' },
    `person link ${OWNER_EMAIL}`,
  ],
  [
    'of a later start',
    START,
    `http://127.0.0.1:8080/auth/login\n  New password         npm run catchment -- person link ${OWNER_EMAIL}`,
  ],
  ['with data elsewhere', { ...START, dataDir: '/srv/a b' }, `person link ${OWNER_EMAIL} --data-dir '/srv/a b'`],
  ['of a restored backup', { ...START, key: '' }, 'person link E-MAIL'],
])('the output %s says how to have another link to set a password', (_what, of, says) => {
  expect(signIn(of)).toContain(says);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UNCHOSEN_DATA_DIR } from '../data-dir.ts';
import { type Given, settingsOf } from './settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-settings-'));
  const text = `default = "home"
[profiles.home]
url = "https://home.example/api/v1/"
key = "HomeKey"
[profiles.test]
url = "https://test.example"
key = "TestKey"
[profiles.bare]
url = "https://bare.example"
`;
  await writeFile(path.join(folder, 'catchment.toml'), text);
});
afterAll(() => rm(folder, { recursive: true }));

const LOCAL = { url: 'http://127.0.0.1:8080', key: 'LocalKey' };
const settings = (given: Partial<Given>, env: NodeJS.ProcessEnv = {}, hasFile = true) =>
  settingsOf(
    { dataDir: UNCHOSEN_DATA_DIR, ...given },
    { XDG_CONFIG_HOME: hasFile ? folder : path.join(folder, 'none'), ...env },
    async () => LOCAL,
  );
const HOME = { url: 'https://home.example', key: 'HomeKey' };
const TEST = { url: 'https://test.example', key: 'TestKey' };
const ENV = { CATCHMENT_URL: 'https://env.example', CATCHMENT_KEY: 'EnvKey' };

test.each<[string, Partial<Given>, NodeJS.ProcessEnv, { url: string; key: string }]>([
  ['the options', { url: 'https://a.example', key: 'A' }, ENV, { url: 'https://a.example', key: 'A' }],
  ['the environment', {}, ENV, { url: 'https://env.example', key: 'EnvKey' }],
  ['the profile that is named, before the environment', { profile: 'test' }, ENV, TEST],
  ['the profile that the environment names', {}, { CATCHMENT_PROFILE: 'test' }, TEST],
  ['the default profile', {}, {}, HOME],
  ['the default profile where a variable is empty', {}, { CATCHMENT_URL: '', CATCHMENT_KEY: '' }, HOME],
  [
    'a key of the environment for a profile without one',
    { profile: 'bare', key: 'B' },
    {},
    { url: 'https://bare.example', key: 'B' },
  ],
  ['the local installation that is named', { dataDir: '/elsewhere' }, {}, LOCAL],
  ['an address with its own key', { url: 'https://home.example' }, {}, HOME],
])('%s', async (_what, given, env, expected) => {
  expect(await settings(given, env)).toEqual(expected);
});

test('the installation on this machine, where there is no profile', async () => {
  expect(await settings({}, {}, false)).toEqual(LOCAL);
  expect(await settings({ url: LOCAL.url }, {}, false)).toEqual(LOCAL);
});

test.each<[string, Partial<Given>, NodeJS.ProcessEnv, string]>([
  ['a key of another address', { url: 'https://other.example' }, {}, "profile 'home'"],
  [
    'a key of the environment for another address',
    { url: 'https://other.example' },
    ENV,
    'belongs to https://env.example',
  ],
  ['an unknown profile', { profile: 'no' }, {}, "has no profile 'no'; known: home, test, bare"],
  ['a profile without a key', { profile: 'bare' }, {}, 'No API key for https://bare.example'],
  ['an address that is none', { url: 'ftp://a', key: 'k' }, {}, '--url: must be an address'],
])('%s is refused, and no key is shown', async (_what, given, env, message) => {
  const failure = await settings(given, env).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect((failure as Error).message).toContain(message);
  expect((failure as Error).message).not.toMatch(/HomeKey|EnvKey|TestKey/);
});

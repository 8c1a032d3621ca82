import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { configFile, isOpenToOthers, readConfig, removeProfile, saveProfile } from './config-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-profiles-'));
  file = path.join(folder, 'deep', 'catchment.toml');
});
afterEach(() => rm(folder, { recursive: true }));

const HOME = { url: 'https://home.example', key: 'HomeKey' };
const TEST = { url: 'https://test.example', key: 'TestKey' };
const write = async (text: string) => {
  file = path.join(folder, 'catchment.toml');
  await writeFile(file, text, { mode: 0o644 });
};

test('the file is the one of the Python client', () => {
  expect(configFile({ XDG_CONFIG_HOME: '/x' })).toBe('/x/catchment.toml');
  expect(configFile({})).toBe(path.join(os.homedir(), '.config/catchment.toml'));
});

test('a profile that was kept is read, from a file that its owner alone can read', async () => {
  await saveProfile(file, 'home', HOME, true);
  await saveProfile(file, 'test', TEST, false);
  expect(await readConfig(file)).toEqual({ file, chosen: 'home', top: {}, profiles: { home: HOME, test: TEST } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await isOpenToOthers(file)).toBe(false);
});

test('comments, other profiles and unknown words stay', async () => {
  await write(`# mine
default = "test" # the other one
colour = "blue"

[profiles.test] # do not delete
url = "https://test.example"
key = "TestKey"
note = "of Jo"
[profiles."home"]
url = "https://old.example"
key = "Old"
[other]
x = 1
`);
  await saveProfile(file, 'home', HOME, true);
  const text = await readFile(file, 'utf8');
  for (const kept of [
    '# mine',
    'colour = "blue"',
    '[profiles.test] # do not delete',
    'note = "of Jo"',
    '[other]\nx = 1',
  ])
    expect(text).toContain(kept);
  expect(text).not.toContain('Old');
  expect(await readConfig(file)).toMatchObject({ chosen: 'home', profiles: { home: HOME, test: TEST } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a profile that is removed is gone, and is no default any more', async () => {
  await saveProfile(file, 'home', HOME, true);
  await saveProfile(file, 'test', TEST, false);
  await removeProfile(file, 'home');
  expect(await readConfig(file)).toMatchObject({ chosen: undefined, profiles: { test: TEST } });
  expect(await readFile(file, 'utf8')).not.toContain('HomeKey');
  await expect(removeProfile(file, 'home')).rejects.toThrow("has no profile 'home'; known: test");
});

test('a file that is written in another way is left as it is', async () => {
  const text = 'profiles = { home = { url = "https://old.example", key = "Old" } }\n';
  await write(text);
  await expect(saveProfile(file, 'home', HOME, false)).rejects.toThrow();
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('what cannot be read is reported without what is in it', async () => {
  await write('[profiles.home]\nkey = "Secret\n');
  await expect(readConfig(file)).rejects.toThrow(/catchment\.toml: is no TOML \(line \d+, column \d+\)/);
  await expect(readConfig(file)).rejects.not.toThrow('Secret');
});

test('a link stays a link', async () => {
  await write('');
  const link = path.join(folder, 'link.toml');
  await symlink(file, link);
  await saveProfile(link, 'home', HOME, true);
  expect(await readFile(file, 'utf8')).toContain('HomeKey');
});

test.each(['', 'my home', 'a]\n[b', 'a.b'])('%j is no name of a profile', async (name) => {
  await expect(saveProfile(file, name, HOME, false)).rejects.toThrow('--profile: must be');
});

test('a key that others can read is seen', async () => {
  await write('');
  await chmod(file, 0o640);
  expect(await isOpenToOthers(file)).toBe(true);
});

import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openState, saveState } from './server-state.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-state-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a first start makes a password of its own, the next has the same', async () => {
  const { state, isNew } = await openState(folder);
  expect(isNew).toBe(true);
  expect(state.password).toMatch(/^[0-9a-f]{48}$/);
  await saveState(folder, { ...state, ports: [4711] });
  expect(await openState(folder)).toEqual({ state: { ...state, ports: [4711] }, isNew: false });
});

test('two installations have different passwords', async () => {
  const [first, second] = [await openState(folder), await openState(path.join(folder, 'other'))];
  expect(first.state.password).not.toBe(second.state.password);
});

test('only the owner can read the password', async () => {
  await saveState(folder, (await openState(folder)).state);
  expect((await stat(path.join(folder, 'server.json'))).mode & 0o777).toBe(0o600);
});

test.each(['', '{', '[]', '{"ports":[1]}'])('a damaged file stops the start: %j', async (text) => {
  await writeFile(path.join(folder, 'server.json'), text);
  await expect(openState(folder)).rejects.toThrow(/server\.json is damaged; move .* away/);
});

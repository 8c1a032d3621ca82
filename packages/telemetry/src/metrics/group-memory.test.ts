import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { groupMemory } from './group-memory.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'catchment-groups-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;

const SECOND: Files = { 'memory.current': '1000\n', 'memory.stat': 'anon 500\nfile 400\ninactive_file 300\n' };
const FIRST: Files = {
  'memory.usage_in_bytes': '2000\n',
  'memory.stat': 'cache 1\ninactive_file 5\ntotal_cache 1\ntotal_inactive_file 600\n',
};

test.each<[what: string, own: string, at: string, files: Files, expected: number | undefined]>([
  ['second way, its own group is the root', '0::/\n', '', SECOND, 700],
  ['second way, a group below', '0::/system.slice/a.service\n', 'system.slice/a.service', SECOND, 700],
  ['first way', '9:cpu:/x\n4:memory:/pod/7\n0::/\n', 'memory/pod/7', FIRST, 1400],
  ['first way, together with another', '4:cpu,memory:/pod/7\n', 'memory/pod/7', FIRST, 1400],
  ['first way, the path is that of the host', '4:memory:/kubepods/7\n', 'memory', FIRST, 1400],
  ['no group', '0::/\n', '', {}, undefined],
  ['not Linux', '', '', SECOND, undefined],
])('%s', async (_what, own, at, files, expected) => {
  const groups = path.join(folder, 'groups');
  await mkdir(path.join(groups, at), { recursive: true });
  await writeFile(path.join(folder, 'own'), own);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(groups, at, name), text);
  const used = await groupMemory({ groups, own: path.join(folder, 'own') });
  expect(await used?.()).toBe(expected);
});

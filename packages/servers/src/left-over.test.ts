import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { recordRunning, stopLeftOver } from './left-over.ts';
import { identityOf } from './process-identity.ts';

let folder: string;
const lines: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-left-over-'));
  lines.splice(0);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that carries `mark` in its command line, as a server carries its configuration file. */
function sleeper(mark: string) {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1_000)', mark], { stdio: 'ignore' });
  return { child, pid: child.pid ?? 0, ended: once(child, 'exit') };
}

async function recordAsLeftBehind(pid: number, mark: string): Promise<void> {
  // 1 as owner: the run that started it is gone
  await writeFile(path.join(folder, 'running.json'), JSON.stringify({ pid, ownerPid: 1, mark }));
}

test('stops the process that an earlier run left behind', async () => {
  const { pid, ended } = sleeper(`${folder}/server.conf`);
  await recordAsLeftBehind(pid, `${folder}/server.conf`);
  await stopLeftOver(folder, (line) => lines.push(line));
  const [, signal] = await ended;
  expect(signal).toBe('SIGTERM');
  expect(lines).toEqual([`stopping process ${pid}, left behind by an earlier run`]);
  expect(await readdir(folder)).toEqual([]);
});

test('never touches a process that is not ours though it has the recorded pid', async () => {
  const { child, pid, ended } = sleeper('/somebody/else.conf');
  await recordAsLeftBehind(pid, `${folder}/server.conf`);
  await stopLeftOver(folder, (line) => lines.push(line));
  expect(child.exitCode).toBeNull();
  expect(lines).toEqual([]);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  expect(signal).toBe('SIGKILL');
});

test('never touches another process of ours, such as an editor of its file, that has the recorded pid by now', async () => {
  const mark = `${folder}/server.conf`;
  const { child, pid, ended } = sleeper(mark);
  await writeFile(
    path.join(folder, 'running.json'),
    JSON.stringify({ pid, ownerPid: 1, mark, identity: 'another boot 1' }),
  );
  await stopLeftOver(folder, (line) => lines.push(line));
  expect([child.exitCode, lines]).toEqual([null, []]);
  child.kill('SIGKILL');
  await ended;
});

test('a process is known again as long as it runs, and not once it has ended', async () => {
  const { child, pid, ended } = sleeper('x');
  const identity = await identityOf(pid);
  expect(identity).toBeTruthy();
  expect(await identityOf(pid)).toBe(identity);
  expect(await identityOf(process.pid)).not.toBe(identity);
  child.kill('SIGKILL');
  await ended;
  expect(await identityOf(pid)).not.toBe(identity);
});

test('refuses while the run that started it is alive', async () => {
  const { child, pid, ended } = sleeper(`${folder}/server.conf`);
  await recordRunning(folder, pid, `${folder}/server.conf`);
  await expect(stopLeftOver(folder, () => {})).rejects.toThrow(`in use by another run (process ${process.pid})`);
  child.kill('SIGKILL');
  await ended;
});

test.each(['', '{', '{"pid":0}', '{"pid":1,"ownerPid":1,"mark":"x"}', '{"pid":5}'])(
  'ignores a damaged note: %j',
  async (text) => {
    await writeFile(path.join(folder, 'running.json'), text);
    await expect(stopLeftOver(folder, () => {})).resolves.toBeUndefined();
  },
);

import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pythonEnvironment } from './python-environment.ts';

let folder: string;
let interpreter: string;
let calls: string;

// This python writes down what it is asked for; its environments have the same one.
const SCRIPT = (log: string) => `#!/bin/sh
echo "$@" >> ${log}
case "$*" in
  *"-m venv"*) rm -rf "$4"; mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
  *wrong*) echo "ERROR: no such package" >&2; exit 1 ;;
esac
`;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-python-'));
  interpreter = path.join(folder, 'python');
  calls = path.join(folder, 'calls');
  await writeFile(interpreter, SCRIPT(calls));
  await chmod(interpreter, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

const made = (packages: readonly string[], more: object = {}) =>
  pythonEnvironment('x', packages, { interpreter, cache: folder, ...more });
const installed = async () =>
  (await readFile(calls, 'utf8')).split('\n').filter((line) => line.includes('pip install'));

test('an environment is made once for its packages', async () => {
  expect(await made(['a==1', 'b==2'])).toBe(path.join(folder, 'python-x/bin/python'));
  await made(['a==1', 'b==2']);
  expect(await installed()).toEqual(['-m pip install --quiet --disable-pip-version-check a==1 b==2']);
});

test('of several who need it at once one makes it, also after one has died over it', async () => {
  // The dead one had no mark yet.
  await mkdir(path.join(folder, 'python-x/bin'), { recursive: true });
  await Promise.all([made(['a==1']), made(['a==1']), made(['a==1'])]);
  expect(await installed()).toHaveLength(1);
});

test.each([
  ['other packages', ['a==2'], {}],
  ['the same files with another text', ['a==1'], { contents: 'b==2' }],
])('%s make it anew', async (_what, packages, more) => {
  await made(['a==1']);
  await made(packages, more);
  expect(await installed()).toHaveLength(2);
});

test('what pip could not have is said in its words, and is tried again', async () => {
  await expect(made(['wrong==1'])).rejects.toThrow('pip could not install wrong==1: ERROR: no such package');
  await expect(made(['wrong==1'])).rejects.toThrow('no such package');
  expect(await installed()).toHaveLength(2);
});

test('a machine without Python gets a message about what it needs', async () => {
  await expect(made(['a==1'], { interpreter: path.join(folder, 'nothing') })).rejects.toThrow(
    'needs Python 3 with venv: ',
  );
});

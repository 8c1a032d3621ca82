// `npm run test:modbus -w services/devices [-- --python <interpreter with pymodbus>]`: the Modbus driver against a device of pymodbus. Needs Python 3.10; without
// an interpreter it is given, it keeps one with pymodbus in node_modules/.cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runVitest, TEST_FILES_ENV } from './run-vitest.ts';

const PYMODBUS = '3.16.1';
const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { python: { type: 'string' } }, allowPositionals: true });

const python = values.python ? path.resolve(values.python) : await ownPython();
process.exitCode = await runVitest(positionals, {
  [TEST_FILES_ENV]: '**/*.pymodbus.ts',
  CATCHMENT_TEST_PYTHON: python,
});

async function ownPython(): Promise<string> {
  const folder = path.join(root, `node_modules/.cache/pymodbus-${PYMODBUS}`);
  const interpreter = path.join(folder, 'bin/python');
  if (existsSync(path.join(folder, 'complete'))) return interpreter;
  console.log(`pymodbus ${PYMODBUS} is fetched into ${folder}`);
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', folder]],
    [interpreter, ['-m', 'pip', 'install', '--quiet', `pymodbus==${PYMODBUS}`]],
    [interpreter, ['-c', `open(${JSON.stringify(path.join(folder, 'complete'))}, 'w')`]],
  ];
  for (const [command, given] of steps) {
    const code = await run(command, given);
    if (code !== 0) throw new Error(`${command} ended with ${code}`);
  }
  return interpreter;
}

async function run(command: string, given: readonly string[]): Promise<number> {
  const child = spawn(command, given, { cwd: root, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return (code as number | null) ?? 1;
}

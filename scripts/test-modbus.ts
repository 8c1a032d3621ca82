// `npm run test:modbus -w services/devices [-- --python <interpreter with pymodbus>]` runs the Modbus driver against a device of pymodbus.
// Needs Python 3.10; without an interpreter it is given, it keeps one with pymodbus in node_modules/.cache.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pythonEnvironment } from '@catchment/testkit/python-environment';
import { runVitest, TEST_FILES_ENV } from './run-vitest.ts';

const PYMODBUS = ['pymodbus==3.16.1'];
const { values, positionals } = parseArgs({ options: { python: { type: 'string' } }, allowPositionals: true });

const python = values.python ? path.resolve(values.python) : await pythonEnvironment('modbus', PYMODBUS);
process.exitCode = await runVitest(positionals, {
  [TEST_FILES_ENV]: '**/*.pymodbus.ts',
  CATCHMENT_TEST_PYTHON: python,
});

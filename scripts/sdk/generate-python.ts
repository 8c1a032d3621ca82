// `npm run generate:python` makes models of the Python client out of sdk/openapi.json. Needs Python; `npm run generate` writes the
// description first.

import { run } from '../tools/run.ts';
import { environmentOf, findPythons, PYTHON_SDK } from './pythons.ts';

const newest = (await findPythons(undefined)).at(-1);
if (!newest) throw new Error('no Python from 3.11 on is on this machine');
const { code, output } = await run(await environmentOf(newest), ['scripts/generate.py'], { cwd: PYTHON_SDK });
if (code !== 0) process.stderr.write(output);
process.exitCode = code;

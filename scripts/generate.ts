import path from 'node:path';
import { generate } from './check/generate.ts';

const problem = await generate(path.resolve(import.meta.dirname, '..'));
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}

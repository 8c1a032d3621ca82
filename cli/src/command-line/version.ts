import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../start/paths.ts';

export const { version, description } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly description: string;
};

import path from 'node:path';
import { Option } from 'commander';
import { ROOT } from './start/places.ts';

/** Where it is unless somebody says otherwise. */
export const UNCHOSEN_DATA_DIR = path.join(ROOT, '.catchment');

/** Where a local installation keeps its data. A variable that is empty is as one that is not there. */
export const defaultDataDir = (env: NodeJS.ProcessEnv = process.env): string =>
  env.CATCHMENT_DATA_DIR ? path.resolve(env.CATCHMENT_DATA_DIR) : UNCHOSEN_DATA_DIR;

/** `--data-dir`, the same for every command that works on a local installation. */
export const dataDirOption = (what = 'data folder of a local installation'): Option =>
  new Option('--data-dir <folder>', `${what}; also CATCHMENT_DATA_DIR in the environment`).default(
    defaultDataDir(),
    '.catchment',
  );

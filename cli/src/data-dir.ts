import path from 'node:path';
import { Option } from 'commander';
import { ROOT } from './start/paths.ts';

/** The folder is here unless a person says otherwise. */
export const UNCHOSEN_DATA_DIR = path.join(ROOT, '.catchment');

/** A local installation keeps its data here. A variable that is empty counts as absent. */
export const defaultDataDir = (env: NodeJS.ProcessEnv = process.env): string =>
  env.CATCHMENT_DATA_DIR ? path.resolve(env.CATCHMENT_DATA_DIR) : UNCHOSEN_DATA_DIR;

/** Every command that works on a local installation has the same `--data-dir`. */
export const dataDirOption = (what = 'data folder of a local installation'): Option =>
  new Option('--data-dir <folder>', `${what}; also CATCHMENT_DATA_DIR in the environment`).default(
    defaultDataDir(),
    '.catchment',
  );

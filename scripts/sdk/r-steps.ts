import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Ended, inTurn, run } from '../tools/run.ts';
import type { Place, Step } from './step.ts';

const SDK = path.resolve(import.meta.dirname, '../../sdk/r');
/** Packages of Debian and Ubuntu. */
const PACKAGES = [
  'r-base-core',
  'r-cran-httr2',
  'r-cran-readr',
  'r-cran-tibble',
  'r-cran-jsonlite',
  'r-cran-rcpptoml',
  'r-cran-testthat',
  'r-cran-withr',
  'r-cran-knitr',
  'r-cran-markdown',
];
const WORKS = PACKAGES.slice(1).map((name) => name.replace('r-cran-', '').replace('rcpptoml', 'RcppTOML'));

/** Returns true where R with what the package and its tests need is there; root on Debian and Ubuntu gets it. */
export async function hasR(): Promise<boolean> {
  const at = { cwd: SDK };
  const script = WORKS.map((name) => `library(${name})`).join('; ');
  const works = () =>
    run('Rscript', ['-e', script], at).then(
      ({ code }) => code === 0,
      () => false,
    );
  if (await works()) return true;
  if (process.getuid?.() !== 0) return false;
  const apt = (...args: string[]) => run('apt-get', args, at).catch(() => undefined);
  await apt('update', '-q');
  await apt('install', '-y', '-q', '--no-install-recommends', ...PACKAGES);
  return works();
}

/** Runs `R CMD check` with the tests and the vignette; then the package where nothing else is, and the examples of its README. */
export const rSteps = (place: Place): Step[] => [
  { what: 'the R package: R CMD check, its tests and vignette, with a server', run: () => inFolder(place, checkWorks) },
  { what: 'the R package in an empty library, and the README', run: () => inFolder(place, readmeWorks) },
];

type Tools = { readonly folder: string; readonly runHere: (command: string, ...args: string[]) => Promise<Ended> };

async function inFolder(place: Place, work: (tools: Tools) => Promise<Ended>): Promise<Ended> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-r-'));
  const env = {
    CATCHMENT_URL: place.url,
    CATCHMENT_KEY: place.key,
    CATCHMENT_READER_KEY: place.readerKey,
    CATCHMENT_EXAMPLES: place.examples,
    LC_ALL: 'C.UTF-8',
    R_LIBS: folder,
  };
  try {
    return await work({ folder, runHere: (command, ...args) => run(command, args, { cwd: folder, env }) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkWorks({ folder, runHere }: Tools): Promise<Ended> {
  const { code, output } = await inTurn(
    () => runHere('R', 'CMD', 'build', SDK),
    async () => runHere('R', 'CMD', 'check', '--no-manual', await builtIn(folder)),
  );
  const report = path.join(folder, 'catchment.Rcheck/tests/testthat.Rout');
  const summary = await readFile(report, 'utf8').catch(() => readFile(`${report}.fail`, 'utf8').catch(() => ''));
  const [, failed = '0', passed = '0'] = /\[ FAIL (\d+) \| WARN \d+ \| SKIP \d+ \| PASS (\d+) \]/.exec(summary) ?? [];
  // A check ends well with warnings.
  const isGood = code === 0 && /Status: (?:OK|\d+ NOTEs?)\n/.test(output) && Number(passed) > 0;
  const shown = isGood ? '' : `${output}\n${summary}\n`;
  return { code: isGood ? 0 : 1, output: `${shown}${passed} passed, ${failed} failed` };
}

const builtIn = async (folder: string): Promise<string> => {
  const description = await readFile(path.join(SDK, 'DESCRIPTION'), 'utf8');
  return path.join(folder, `catchment_${/^Version: (.+)$/m.exec(description)?.[1]}.tar.gz`);
};

const readmeWorks = ({ folder, runHere }: Tools): Promise<Ended> =>
  inTurn(
    () => runHere('R', 'CMD', 'build', '--no-build-vignettes', SDK),
    async () => runHere('R', 'CMD', 'INSTALL', `--library=${folder}`, await builtIn(folder)),
    () => runHere('Rscript', '-e', `setwd("${SDK}"); source("scripts/run-docs.R", echo = FALSE)`),
  );

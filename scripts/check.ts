// `npm run check [-- <name> …]` checks what must hold for every commit, side by side, a line each; the names pick some of the checks.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkBoundaries } from './check/boundaries.ts';
import { checkDocuments } from './check/documents.ts';
import { checkGenerated } from './check/generated.ts';
import { checkRoomMap } from './check/room-map.ts';
import { runTool } from './check/run-tool.ts';
import { checkWords } from './check/words.ts';
import { FONT_PACKAGES } from './licences/font-packages.ts';
import { imagePackages, type Lock } from './licences/image-packages.ts';
import { refused } from './licences/refused.ts';
import { installedTools } from './tools/installed.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The problem, or nothing. */
type Check = () => Promise<string | undefined>;

const CHECKS: Record<string, { what: string; check: Check }> = {
  format: {
    what: 'format and lint (biome)',
    check: () => tool('biome', ['check', '--error-on-warnings', '--diagnostic-level=warn', '.']),
  },
  types: {
    what: 'types (tsc)',
    check: async () => (await tool('tsc', ['-p', '.'])) ?? (await tool('tsc', ['-p', 'web'])),
  },
  proto: { what: 'contracts, which peers of the version before understand (buf)', check: contractsHold },
  generated: { what: 'generated code is up to date', check: generatedIsUpToDate },
  boundaries: { what: 'module boundaries', check: boundariesHold },
  rooms: { what: 'the map of rooms in docs/architecture.md', check: roomsAreMapped },
  exports: {
    what: 'exports, files and packages that nothing uses (knip)',
    check: async () =>
      tool('knip', ['--treat-config-hints-as-errors', '--no-progress'], await installedTools('exports')),
  },
  documents: { what: 'files that documents name, and their links', check: documentsHold },
  words: { what: 'pages that comments name, how they begin, what they silence', check: wordsHold },
  licences: { what: 'licences of the packages and fonts in the image', check: licencesHold },
  deploy: {
    what: 'the chart as it was approved, where helm is there',
    check: () => tool('node', ['deploy/check/main.ts', '--if-possible']),
  },
};

async function tool(name: string, args: string[], folder?: string): Promise<string | undefined> {
  const { status, printed } = await runTool(name, args, root, folder);
  return status === 0 ? undefined : printed || `${name} ended with status ${status}`;
}

/** Compares with the contracts as they were served before: `npm run served -w packages/contracts` takes the present ones, once they are. */
async function contractsHold(): Promise<string | undefined> {
  const folder = await installedTools('proto');
  return (
    (await tool('buf', ['lint', 'proto'], folder)) ??
    (await tool('buf', ['breaking', 'proto', '--against', 'proto/served.binpb.gz'], folder))
  );
}

async function generatedIsUpToDate(): Promise<string | undefined> {
  const differences = await checkGenerated(root);
  return differences.length === 0 ? undefined : `${differences.join('\n')}\nrun: npm run generate`;
}

async function boundariesHold(): Promise<string | undefined> {
  const { files, violations } = await checkBoundaries(root);
  if (files === 0) return 'no source file found';
  return violations.length === 0 ? undefined : violations.join('\n');
}

async function roomsAreMapped(): Promise<string | undefined> {
  const wrong = await checkRoomMap(root);
  return wrong.length === 0 ? undefined : wrong.join('\n');
}

async function documentsHold(): Promise<string | undefined> {
  const wrong = await checkDocuments(root);
  return wrong.length === 0 ? undefined : wrong.join('\n');
}

async function wordsHold(): Promise<string | undefined> {
  const wrong = await checkWords(root);
  return wrong.length === 0 ? undefined : wrong.join('\n');
}

async function licencesHold(): Promise<string | undefined> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const wrong = refused([...imagePackages(lock), ...FONT_PACKAGES]);
  return wrong.length === 0
    ? undefined
    : `${wrong.join('\n')}\ntake another package, or add the licence to scripts/licences/allowed.ts`;
}

async function main(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => CHECKS[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`no such check: ${unknown.join(', ')}; known: ${Object.keys(CHECKS).join(', ')}`);
  const chosen = Object.entries(CHECKS).filter(([name]) => names.length === 0 || names.includes(name));
  const good = await Promise.all(chosen.map(([, step]) => holds(step)));
  return good.every(Boolean);
}

async function holds({ what, check }: { what: string; check: Check }): Promise<boolean> {
  const began = performance.now();
  const wrong = await check().catch((error: Error) => error.stack ?? error.message);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(
    `${wrong === undefined ? 'ok    ' : 'FAILED'} ${what} (${seconds} s)${wrong === undefined ? '' : `\n${wrong}\n`}`,
  );
  return wrong === undefined;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkBoundaries } from './boundaries.ts';

const NAMES: Record<string, string> = {
  'packages/errors': '@catchment/errors',
  'packages/pg': '@catchment/pg',
  'packages/testkit': '@catchment/testkit',
  'services/alarms': '@catchment/alarms',
  'services/nodes': '@catchment/nodes',
  cli: '@catchment/cli',
  e2e: '@catchment/e2e',
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-boundaries-'));
  for (const [folder, name] of Object.entries(NAMES)) await write(`${folder}/package.json`, JSON.stringify({ name }));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

test.each([
  [
    'a service imports another by name',
    'services/alarms/src/a.ts',
    "import '@catchment/nodes';",
    'no-service-to-service',
  ],
  [
    '… only a type of it',
    'services/alarms/src/a.ts',
    "import type { N } from '@catchment/nodes';",
    'no-service-to-service',
  ],
  ['… by path', 'services/alarms/src/a.ts', "export * from '../../nodes/src/n.ts';", 'no-service-to-service'],
  [
    '… when it runs',
    'services/alarms/src/a.ts',
    "const n = await import('@catchment/nodes');",
    'no-service-to-service',
  ],
  ['… from a test', 'services/alarms/test/a.int.test.ts', "import '@catchment/nodes';", 'no-service-to-service'],
  [
    '… in a file with using',
    'services/alarms/src/a.ts',
    "import '@catchment/nodes';\n{ using x = f(); }",
    'no-service-to-service',
  ],
  ['a package imports a service', 'packages/errors/src/e.ts', "import '@catchment/nodes';", 'packages-know-no-service'],
  [
    'a package imports the command line',
    'packages/errors/src/e.ts',
    "import '@catchment/cli';",
    'packages-know-no-service',
  ],
  [
    'a service imports a script',
    'services/alarms/src/a.ts',
    "import '../../../scripts/x.ts';",
    'services-know-no-tools',
  ],
  ['e2e imports a service', 'e2e/a.e2e.test.ts', "import '@catchment/nodes';", 'e2e-is-black-box'],
  ['e2e imports another package', 'e2e/a.e2e.test.ts', "import '@catchment/pg';", 'e2e-is-black-box'],
  ['domain imports a use case', 'services/alarms/src/domain/d.ts', "import '../usecases/u.ts';", 'domain-is-pure'],
  ['domain imports the store', 'services/alarms/src/domain/deep/d.ts', "import '../../store/s.ts';", 'domain-is-pure'],
  ['domain imports a driver', 'services/alarms/src/domain/d.ts', "import '@catchment/pg';", 'domain-is-pure'],
  [
    'a package is imported by path',
    'services/alarms/src/a.ts',
    "import '../../../packages/pg/src/p.ts';",
    'workspaces-by-name',
  ],
  ['a workspace does not exist', 'services/alarms/src/a.ts', "import '@catchment/gone';", 'unknown-workspace'],
])('refused: %s', async (_what, file, source, rule) => {
  await write(file, source);
  const { violations } = await checkBoundaries(root);
  expect(violations).toEqual([expect.stringMatching(new RegExp(`^${rule}: ${file.replaceAll('.', '\\.')} imports `))]);
});

test.each([
  ['a service imports packages', 'services/alarms/src/main.ts', "import '@catchment/pg'; import pg from 'pg';"],
  ['a service imports its own parts', 'services/alarms/src/transport/t.ts', "import '../usecases/u.ts';"],
  [
    'domain imports domain and pure packages',
    'services/alarms/src/domain/d.ts',
    "import './e.ts'; import '@catchment/errors';",
  ],
  ['e2e imports the testkit', 'e2e/a.e2e.test.ts', "import '@catchment/testkit'; import './helper.ts';"],
  ['the command line imports packages', 'cli/src/main.ts', "import '@catchment/errors';"],
  [
    'names in comments and texts are no imports',
    'packages/errors/src/e.ts',
    "// import '@catchment/nodes'\nexport const s = '@catchment/nodes';",
  ],
])('allowed: %s', async (_what, file, source) => {
  await write(file, source);
  expect((await checkBoundaries(root)).violations).toEqual([]);
});

test('refused: packages that need each other in a circle', async () => {
  await write('packages/errors/src/e.ts', "import '@catchment/pg';");
  await write('packages/pg/src/p.ts', "import '@catchment/testkit';");
  await write('packages/testkit/src/t.ts', "import '@catchment/errors';");
  const { violations } = await checkBoundaries(root);
  expect(violations).toEqual([expect.stringMatching(/^no-cycles: (packages\/\w+ → ){3}packages\/\w+ /)]);
});

test('a test may use the testkit, which uses the package under test', async () => {
  await write('packages/pg/src/p.test.ts', "import '@catchment/testkit';");
  await write('packages/testkit/src/t.ts', "import '@catchment/pg';");
  expect((await checkBoundaries(root)).violations).toEqual([]);
});

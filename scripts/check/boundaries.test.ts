import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkBoundaries } from './boundaries.ts';

const WORKSPACES = ['packages/errors', 'packages/pg', 'packages/testkit', 'services/alarms', 'services/nodes', 'cli'];
const FILES = [
  ...WORKSPACES.map((folder) => `${folder}/src/index.ts`),
  'services/events/src/domain/e.ts',
  'services/events/src/usecases/u.ts',
  'services/events/src/store/s.ts',
  'services/events/src/clients/c.ts',
  'services/events/src/runner/r.ts',
  'services/events/src/helpers/h.ts',
  'services/events/src/tree/index.ts',
  'services/events/src/tree/domain/t.ts',
  'services/events/src/tree/store/names-query.ts',
  'services/events/src/mail/index.ts',
  'services/events/src/config.ts',
  'services/events/src/store/s.test.ts',
  'services/events/lib/l.ts',
  'node_modules/pg/index.js',
  'services/nodes/src/n.ts',
  'scripts/x.ts',
  'e2e/helper.ts',
];

const PAGE = `## Rooms

### events

Layers: \`domain\`, \`usecases\`, \`store\`, \`clients\`.

| room | what it is for |
|---|---|
| \`tree\` | the ground |
| \`mail\` | stands above it |
`;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-boundaries-'));
  await mkdir(path.join(root, 'node_modules/@catchment'), { recursive: true });
  for (const folder of WORKSPACES) {
    const name = `@catchment/${path.basename(folder)}`;
    await write(`${folder}/package.json`, JSON.stringify({ name, exports: './src/index.ts' }));
    await symlink(path.join(root, folder), path.join(root, 'node_modules', name));
  }
  for (const file of FILES) await write(file, 'export {};');
  await write('docs/architecture.md', PAGE);
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
  ['domain imports a use case', 'services/events/src/domain/d.ts', "import '../usecases/u.ts';", 'domain-is-pure'],
  ['domain imports the store', 'services/events/src/domain/deep/d.ts', "import '../../store/s.ts';", 'domain-is-pure'],
  ['domain imports what loads', 'services/events/src/domain/d.ts', "import '@catchment/pg';", 'domain-is-pure'],
  ['domain opens files', 'services/events/src/domain/d.ts', "import 'node:fs';", 'domain-is-pure'],
  [
    'domain of a room imports a use case',
    'services/events/src/mail/domain/d.ts',
    "import '../../usecases/u.ts';",
    'domain-is-pure',
  ],
  [
    'a use case imports the store',
    'services/events/src/usecases/a.ts',
    "import '../store/s.ts';",
    'usecases-knows-its-place',
  ],
  [
    'the store imports a client',
    'services/events/src/store/a.ts',
    "import type { C } from '../clients/c.ts';",
    'store-knows-its-place',
  ],
  ['the store imports a runner', 'services/events/src/store/a.ts', "import '../runner/r.ts';", 'store-knows-its-place'],
  [
    'a handler imports the store',
    'services/events/src/transport/a.ts',
    "import '../store/s.ts';",
    'transport-knows-its-place',
  ],
  ['a consumer imports the store', 'services/events/src/bus/a.ts', "import '../store/s.ts';", 'bus-knows-its-place'],
  ['a folder is no layer', 'services/events/src/main.ts', "import './helpers/h.ts';", 'everything-has-a-layer'],
  [
    'a room is imported beside its entry point',
    'services/events/src/mail/usecases/a.ts',
    "import '../../tree/domain/t.ts';",
    'rooms-have-one-entry-point',
  ],
  [
    '… by what starts the service',
    'services/events/src/main.ts',
    "import './tree/domain/t.ts';",
    'rooms-have-one-entry-point',
  ],
  ...[
    "import { m } from '../../mail/index.ts';",
    "import type { M } from '../../mail/index.ts';",
    "import '../../mail/index.ts';",
    "import * as mail from '../../mail/index.ts';",
    "export * from '../../mail/index.ts';",
    "const { m } = await import('../../mail/index.ts');",
  ].map((source) => [
    `a room imports one above it: ${source}`,
    'services/events/src/tree/store/a.ts',
    source,
    'rooms-import-downwards',
  ]),
  [
    'a room imports wiring',
    'services/events/src/tree/index.ts',
    "import type { Config } from '../config.ts';",
    'rooms-import-downwards',
  ],
  [
    'a layer that rooms share imports one of them',
    'services/events/src/domain/a.ts',
    "import type { T } from '../tree/index.ts';",
    'shared-layers-know-no-room',
  ],
  ['code beside src/', 'services/events/src/clients/a.ts', "import '../../lib/l.ts';", 'services-are-their-src'],
  ['… uses a layer', 'services/events/lib/a.ts', "import '../src/store/s.ts';", 'rooms-are-used-in-src'],
  ['code of a test', 'services/events/src/store/a.ts', "import './s.test.ts';", 'tests-are-no-code'],
  ['a driver beside stores', 'services/events/src/bus/a.ts', "import type { Pool } from 'pg';", 'postgres-in-stores'],
  [
    'a layer imports wiring',
    'services/events/src/clients/a.ts',
    "import { config } from '../config.ts';",
    'layers-know-no-wiring',
  ],
  [
    'a package is imported by path',
    'services/alarms/src/a.ts',
    "import '../../../packages/pg/src/index.ts';",
    'workspaces-by-name',
  ],
  ['a workspace does not exist', 'services/alarms/src/a.ts', "import '@catchment/gone';", 'no-unknown-module'],
])('refused: %s', async (_what, file, source, rule) => {
  await write(file, source);
  const { violations } = await checkBoundaries(root);
  expect(violations).toEqual([expect.stringMatching(new RegExp(`^${rule}: ${file.replaceAll('.', '\\.')} imports `))]);
});

test.each([
  ['a service imports packages', 'services/alarms/src/main.ts', "import '@catchment/pg'; import fs from 'node:fs';"],
  ['a service imports its own parts', 'services/events/src/transport/t.ts', "import '../usecases/u.ts';"],
  [
    'a use case asks a query of its room',
    'services/events/src/tree/usecases/a.ts',
    "import '../store/names-query.ts';",
  ],
  ['a test imports any layer', 'services/events/src/domain/e.test.ts', "import '../store/s.ts';"],
  ['a room is imported by its entry point', 'services/events/src/mail/usecases/a.ts', "import '../../tree/index.ts';"],
  ['a room imports its own parts', 'services/events/src/tree/usecases/a.ts', "import '../domain/t.ts';"],
  [
    'domain imports domain and pure packages',
    'services/events/src/domain/d.ts',
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

test.each([
  [
    'files',
    {
      'services/events/src/domain/a.ts': "import type { B } from './b.ts';",
      'services/events/src/domain/b.ts': "import './a.ts';",
    },
  ],
  [
    'packages',
    {
      'packages/errors/src/index.ts': "import '@catchment/pg';",
      'packages/pg/src/index.ts': "import '@catchment/testkit';",
      'packages/testkit/src/index.ts': "import '@catchment/errors';",
    },
  ],
])('refused: %s that need each other in a circle', async (_what, files) => {
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const { violations } = await checkBoundaries(root);
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatch(/^no-circles: /);
  for (const file of Object.keys(files)) expect(violations[0]).toContain(file);
});

test('a test may use the testkit, which uses the package under test', async () => {
  await write('packages/pg/src/p.test.ts', "import '@catchment/testkit';");
  await write('packages/testkit/src/index.ts', "import '@catchment/pg';");
  expect((await checkBoundaries(root)).violations).toEqual([]);
});

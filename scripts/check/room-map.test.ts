import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkRoomMap } from './room-map.ts';
import { LAYERS } from './services/service-files.ts';

const PAGE = `# Architecture

## The services

| service | owns |
|---|---|
| [events](../services/events) | events |
| [alarms](../services/alarms) | alarms |

## Layers

| folder | content |
|---|---|
${LAYERS.map((name) => `| \`${name}/\` | … |`).join('\n')}

## Rooms

### events

Layers: \`domain\`, \`store\`.

| room | what it is for |
|---|---|
| \`tree\` | the ground |
| \`mail\` | stands above it |

### alarms

Layers: \`domain\`.

Wiring: \`open.ts\`.

Beside \`src\`: \`fonts\`.

- \`domain/rules\`: the rules

## Another section

| \`nothing\` | no room |
`;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-rooms-'));
  await write('docs/architecture.md', PAGE);
  await write('services/events/src/domain/e.ts');
  await write('services/events/src/store/s.ts');
  await write('services/alarms/src/domain/a.ts');
  await write('services/alarms/src/service.ts');
  await write('services/alarms/src/open.ts');
  await write('services/alarms/fonts/a.ttf');
  await write('services/alarms/src/domain/rules/r.ts');
  await write(
    'services/events/src/tree/index.ts',
    [
      "export { nameOf } from './domain/name.ts';",
      "export { type Name, saveName } from './store/pg-names.ts';",
      "export * as statements from './store/pg-names.ts';",
      "export { findName } from './store/names-query.ts';",
      "export { grow } from './usecases/grow.ts';",
    ].join('\n'),
  );
  await write('services/events/src/mail/usecases/m.ts', "import { grow } from '../../tree/index.ts';");
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text = 'export {};'): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}

test('a page that says what the folders are is right', async () => {
  expect(await checkRoomMap(root)).toEqual([]);
});

test.each([
  ['services/events/src/clients/c.ts', '', 'docs/architecture.md does not know services/events/src/clients'],
  ['services/render/src/a.ts', '', 'docs/architecture.md does not know services/render'],
  ['services/ghost/README', '', 'docs/architecture.md does not know services/ghost'],
  ['services/alarms/src/domain/texts/t.ts', '', 'docs/architecture.md does not know services/alarms/src/domain/texts'],
  [
    'services/alarms/src/domain/rules/deep/t.js',
    '',
    'docs/architecture.md does not know services/alarms/src/domain/rules/deep',
  ],
  ['services/events/src/domain/deep/d.ts', '', 'docs/architecture.md does not know services/events/src/domain/deep'],
  [
    'services/events/src/tree/domain/deep/d.ts',
    '',
    'docs/architecture.md does not know services/events/src/tree/domain/deep',
  ],
  ['services/events/src/helpers.ts', '', 'docs/architecture.md does not know services/events/src/helpers.ts'],
  ['services/events/notes/plan.txt', '', 'docs/architecture.md does not know services/events/notes'],
  ['services/events/src/tree/runner/r.ts', '', 'services/events/src/tree/runner is no layer'],
  ['services/events/src/tree/helpers/h.ts', '', 'services/events/src/tree/helpers is no layer'],
  [
    'services/events/src/tree/name.ts',
    '',
    'services/events/src/tree/name.ts is in no layer: a room has index.ts and layers',
  ],
])('refused: a file %s', async (file, text, line) => {
  await write(file, text);
  expect(await checkRoomMap(root)).toEqual([line]);
});

test.each([
  'services/events/src/mail',
  'services/events/src/store',
  'services/events',
  'services/alarms/src/domain/rules',
  'services/alarms/src/open.ts',
  'services/alarms/fonts',
])('refused: the page names %s, which is not there', async (folder) => {
  await rm(path.join(root, folder), { recursive: true });
  expect(await checkRoomMap(root)).toContain(`docs/architecture.md names ${folder}, which is not there`);
});

test.each([
  [
    'a service',
    '| [ghost](../services/ghost) | nothing |',
    'docs/architecture.md names services/ghost, which is not there',
  ],
  ['a layer', '| `ghosts/` | nothing |', 'docs/architecture.md names a layer/ghosts, which is not there'],
])('refused: the table of %ss names one that is not there', async (_what, row, line) => {
  const before = row.startsWith('| [') ? '| [alarms]' : '| `domain/` |';
  await write('docs/architecture.md', PAGE.replace(before, `${row}\n${before}`));
  expect(await checkRoomMap(root)).toEqual([line]);
});

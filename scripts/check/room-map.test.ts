import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkRoomMap } from './room-map.ts';

const PAGE = `# Architecture

## Rooms

### events

Layers: \`domain\`, \`store\`.

| room | what it is for |
|---|---|
| \`tree\` | the ground |
| \`mail\` | stands above it |

### alarms

Layers: \`domain\`.

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
  await write('services/events/src/mail/usecases/m.ts', "import { t } from '../../tree/index.ts';");
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
  ['services/alarms/src/domain/texts/t.ts', '', 'docs/architecture.md does not know services/alarms/src/domain/texts'],
  [
    'services/events/src/tree/usecases/t.ts',
    "import { m } from '../../mail/index.ts';",
    'services/events/src/tree/usecases/t.ts imports mail, a room above its own',
  ],
  [
    'services/events/src/tree/store/names-query.ts',
    'await on.query(`DELETE FROM names`);',
    'services/events/src/tree/store/names-query.ts is a query, and writes',
  ],
  [
    'services/events/src/tree/store/names-query.ts',
    'await on.query(`UPDATE names_of_2024 kept SET name = $1`);',
    'services/events/src/tree/store/names-query.ts is a query, and writes',
  ],
  [
    'services/events/src/mail/usecases/n.ts',
    "import { type Name, saveName } from '../../tree/index.ts';",
    'services/events/src/mail/usecases/n.ts imports saveName of a store: a port is missing',
  ],
  [
    'services/events/src/mail/domain/n.ts',
    "import { grow, type Name, nameOf } from '../../tree/index.ts';",
    'services/events/src/mail/domain/n.ts imports grow, which is no decision: domain/ takes types and domain files of other rooms',
  ],
  [
    'services/events/src/mail/domain/n.ts',
    "import { statements } from '../../tree/index.ts';",
    'services/events/src/mail/domain/n.ts imports statements, which is no decision: domain/ takes types and domain files of other rooms',
  ],
  [
    'services/events/src/mail/transport/mail-handlers.ts',
    'getMail: ({ mailId }) => deps.store.mailOf(mailId),',
    'services/events/src/mail/transport/mail-handlers.ts asks a store, which is for a use case',
  ],
  [
    'services/events/src/mail/transport/handlers.ts',
    'const rest = `WHERE n.name = $1`;',
    'services/events/src/mail/transport/handlers.ts has SQL, which belongs into a store',
  ],
  [
    'services/events/src/mail/bus/reader.ts',
    'await on.query(`UPDATE names SET name = $1`);',
    'services/events/src/mail/bus/reader.ts has SQL, which belongs into a store',
  ],
])('refused: %s', async (file, text, line) => {
  await write(file, text);
  expect(await checkRoomMap(root)).toEqual([line]);
});

test('a use case reads by a query of another room, and its store takes what writes', async () => {
  await write('services/events/src/mail/usecases/m.ts', "import { findName, type Name } from '../../tree/index.ts';");
  await write('services/events/src/mail/store/pg-mail.ts', "import { saveName } from '../../tree/index.ts';");
  expect(await checkRoomMap(root)).toEqual([]);
});

test('a query may read, and hold rows', async () => {
  await write('services/events/src/tree/store/names-query.ts', '`SELECT name FROM names FOR NO KEY UPDATE`');
  expect(await checkRoomMap(root)).toEqual([]);
});

test.each([
  'services/events/src/mail',
  'services/events/src/store',
  'services/events',
  'services/alarms/src/domain/rules',
])('refused: the page names %s, which is not there', async (folder) => {
  await rm(path.join(root, folder), { recursive: true });
  expect(await checkRoomMap(root)).toContain(`docs/architecture.md names ${folder}, which is not there`);
});

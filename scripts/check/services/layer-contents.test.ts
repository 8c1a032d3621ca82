import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkLayerContents } from './layer-contents.ts';

const SOURCE = 'services/events/src';
const FILES = {
  'tree/index.ts': `
    import * as written from './store/pg-names.ts';
    import { dropName, saveName as save } from './store/pg-names.ts';
    import { grow as growBy } from './usecases/grow.ts';
    export { nameOf } from './domain/name.ts';
    export { nameHandlers } from './transport/name-handlers.ts';
    export { type Name, saveName } from './store/pg-names.ts';
    export * as statements from './store/pg-names.ts';
    export { findName } from './store/names-query.ts';
    export { NAME_COLUMNS } from './store/name-rows.ts';
    const store = { save };
    export const grow = growBy.bind(undefined, store);
    export const renamed = dropName;
    export const wrapped = (name) => save(name);
    export const taken = store.save;
    export const all = written;
    export const bundle = { ...store, grow: growBy };
    export { dropName as gone };`,
  'tree/domain/name.ts': 'export const nameOf = (node) => node.name;',
  'tree/usecases/grow.ts': 'export const grow = (store, name) => store.save(name);',
  'tree/usecases/writing.ts':
    "import type { NameStore } from './ports.ts';\nexport const grow = (store: NameStore) => store.save('a');",
  'tree/transport/name-handlers.ts': 'export const nameHandlers = () => ({});',
  'tree/usecases/ports.ts': `
    export type NameStore = { save(name: string): Promise<void> };
    export interface AgeStore { read(): Promise<number> }
    export type Name = { readonly name: string };`,
  'tree/store/pg-names.ts': `
    import type { Name, NameStore } from '../usecases/ports.ts';
    export const saveName = (on, name) => on.query(\`INSERT INTO names VALUES ($1)\`, [name]);
    export const dropName = (on, name) => on.query('DELETE FROM names WHERE name = $1', [name]);`,
  'tree/store/name-rows.ts': "export const NAME_COLUMNS = 'name, age';",
  'tree/store/names-query.ts': `
    import { NAME_COLUMNS } from './name-rows.ts';
    export const findName = (on, name) => on.query(\`SELECT \${NAME_COLUMNS} FROM names FOR NO KEY UPDATE\`);`,
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'catchment-layers-'));
  for (const [file, text] of Object.entries(FILES)) await write(file, text);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  const whole = path.join(root, SOURCE, file);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, text);
}

const refusals = (file: string, lines: readonly (readonly [text: string, says: string])[]) =>
  lines.map(([text, says]) => [file, text, says] as const);

test.each([
  ...refusals('tree/usecases/u.ts', [
    ['await on.run(`SELECT id FROM nodes`);', 'has SQL'],
    ["await on.run('select id from nodes');", 'has SQL'],
    ['const rest = `WHERE n.name = $1`;', 'has SQL'],
    ["await on.run('with a as (select 1) select * from a');", 'has SQL'],
    ["await on.run('insert into names values (1)');", 'has SQL'],
    ["await on.run('Update names n set name = $1');", 'has SQL'],
    ["await on.run('LOCK TABLE names');", 'has SQL'],
    ["await on.run('lock table names in share mode');", 'has SQL'],
    ["await on.run('truncate table names');", 'has SQL'],
    ["await on.run('drop table names');", 'has SQL'],
    ["await on.run('BEGIN');", 'has SQL'],
    ['await on.run(`NOTIFY names`);', 'has SQL'],
    ["await on.run('-- of nodes\\nselect id from nodes');", 'has SQL'],
    ["await on.run('(select id from nodes)');", 'has SQL'],
    ["await on.run('select id' + ' from nodes');", 'has SQL'],
    ["await on.run(['select id', 'from nodes'].join(' '));", 'has SQL'],
    ["await on.run('owner_id = $1 and name = $2');", 'has SQL'],
    ["await on.run('select pg_advisory_xact_lock($1)');", 'has SQL'],
    ["await on.run('SHOW TAG VALUES FROM records');", 'has SQL'],
    ["await on.run('listen nodes');", 'has SQL'],
    ["import { deleteInBatches } from '@catchment/pg';", 'takes deleteInBatches of @catchment/pg'],
    ["import { purgeDeleted } from '@catchment/node-replica';", 'takes purgeDeleted of @catchment/node-replica'],
    ["import { saveName } from '@catchment/events/src/tree/index.ts';", 'imports @catchment/events/src/tree/index.ts'],
    ["import { saveName } from '#tree';", 'imports #tree'],
    ...[
      'WHERE deleted_time IS NULL',
      'GROUP BY owner_id',
      'ON CONFLICT DO NOTHING',
      'select count(*)',
      'order by name limit 10',
      'join users u on u.user_id = s.user_id',
      'VALUES ($1, $2)',
    ].map((text) => [`await on.run('${text}');`, 'has SQL'] as const),
    ["import * as pg from '@catchment/pg';", 'takes * of @catchment/pg'],
    ['await pool.query(statement);', 'calls query()'],
    ['await pool?.query<Row>(statement);', 'calls query()'],
    ["await pool['query'](statement);", 'calls query()'],
    ["const { saveName } = await import('../index.ts');", 'imports ../index.ts when it runs'],
    ['const it = await import(name);', 'imports a computed name when it runs'],
    ["type Name = import('../index.ts').Name;", 'imports ../index.ts when it runs'],
  ]),
  ...refusals('mail/usecases/u.ts', [
    [
      "import { type Name, saveName } from '../../tree/index.ts';",
      'imports saveName of ../../tree/index.ts, which is store',
    ],
    [
      "import { saveName as keep } from '../../tree/index.ts';",
      'imports saveName of ../../tree/index.ts, which is store',
    ],
    ["import { statements } from '../../tree/index.ts';", 'imports statements of ../../tree/index.ts, which is store'],
    ["import { renamed } from '../../tree/index.ts';", 'imports renamed of ../../tree/index.ts, which is store'],
    ["import { wrapped } from '../../tree/index.ts';", 'imports wrapped of ../../tree/index.ts, which is store'],
    ["import { taken } from '../../tree/index.ts';", 'imports taken of ../../tree/index.ts, which is store'],
    ["import { all } from '../../tree/index.ts';", 'imports all of ../../tree/index.ts, which is store'],
    ["import { bundle } from '../../tree/index.ts';", 'imports bundle of ../../tree/index.ts, which is store'],
    ["import { gone } from '../../tree/index.ts';", 'imports gone of ../../tree/index.ts, which is store'],
    ["import * as tree from '../../tree/index.ts';", 'takes all of ../../tree/index.ts'],
    ["export * from '../../tree/index.ts';", 'gives all of ../../tree/index.ts'],
    ["export { saveName } from '../../tree/index.ts';", 'imports saveName of ../../tree/index.ts, which is store'],
    [
      "import { nameHandlers } from '../../tree/index.ts';",
      'imports nameHandlers of ../../tree/index.ts, which is transport',
    ],
    ["import '../../tree/index.ts';", 'imports what runs of ../../tree/index.ts'],
  ]),
  ...refusals('mail/transport/files.ts', [
    ['const read = (deps, id) => deps.store.mailOf(id);', 'asks store, which is for a use case'],
    ['const read = (store, id) => store?.mailOf(id);', 'asks store'],
    ['const read = (deps, id) => deps.stored.mailOf(id);', 'asks stored'],
    ['const read = (deps, id) => deps.mailStore!.mailOf(id);', 'asks mailStore'],
    ["class A { read(id) { return this.#deps['store'].mailOf(id); } }", 'asks store'],
    ['class A { read(id) { const { store } = this.#deps; return store.mailOf(id); } }', 'asks store'],
    ['const read = ({ store }, id) => { const { mailOf } = store; return mailOf(id); };', 'asks store'],
    ["import { saveName } from '../../tree/index.ts';", 'imports saveName of ../../tree/index.ts, which is store'],
    ["import { findName } from '../../tree/index.ts';", 'imports findName of ../../tree/index.ts, which is store'],
    ['const f = (deps) => { const mails = deps.store; return mails.mailOf(1); };', 'asks mails'],
    ['const f = (deps) => { const { store: mails } = deps; return mails.mailOf(1); };', 'asks mails'],
    ['const f = ({ store: mails }) => mails.mailOf(1);', 'asks mails'],
    ['const f = (deps) => ({ list: deps.store.mailOf });', 'asks store'],
    ['const f = (deps) => deps.database.transaction((tx) => g(tx));', 'begins a transaction'],
    ["import { appendOutbox } from '@catchment/pg';", 'takes appendOutbox of @catchment/pg'],
    ['const f = (deps) => { const read = deps.store.mailOf; return read(1); };', 'asks store'],
  ]),
  ...refusals('tree/transport/tree-handlers.ts', [
    ...['NameStore | undefined', 'readonly NameStore[]', 'Readonly<NameStore>', "Deps['store']"].map(
      (type) =>
        [
          `import type { NameStore } from '../usecases/ports.ts';\nconst f = (names: ${type}) => names?.save('a');`,
          'asks names',
        ] as const,
    ),
    ...['type Names = NameStore;', 'interface Names extends NameStore {}'].map(
      (made) =>
        [
          `import type { NameStore } from '../usecases/ports.ts';\n${made}\nconst f = (names: Names) => names.save('a');`,
          'asks names',
        ] as const,
    ),
    ["import type { AgeStore } from '../usecases/ports.ts';\nconst f = (ages: AgeStore) => ages.read();", 'asks ages'],
    [
      "import type * as ports from '../usecases/ports.ts';\nconst f = (names: ports.NameStore) => names.save('a');",
      'asks names',
    ],
    [
      "import type { NameStore } from '../usecases/ports.ts';\nclass A { readonly #names: NameStore; f() { return this.#names.save('a'); } }",
      'asks names',
    ],
    [
      "import type { NameStore } from '../usecases/ports.ts';\nconst f = (names: NameStore) => names.save('a');",
      'asks names, which is for a use case',
    ],
    [
      "import type { NameStore as N } from '../usecases/ports.ts';\nconst f = (deps: { names: Pick<N, 'save'> }) => deps.names.save('a');",
      'asks names',
    ],
    [
      "import type { NameStore } from '../usecases/ports.ts';\ntype Deps = { readonly names: NameStore };\nconst f = (deps: Deps) => { const { names } = deps; return names.save('a'); };",
      'asks names',
    ],
  ]),
  ...refusals('mail/domain/d.ts', [
    ["import { grow, type Name, nameOf } from '../../tree/index.ts';", 'imports grow of ../../tree/index.ts'],
    ["import { statements } from '../../tree/index.ts';", 'imports statements of ../../tree/index.ts, which is store'],
    ["import { absent } from '../../tree/index.ts';", 'imports absent of ../../tree/index.ts, which is wiring'],
    ["import { EventsService } from '@catchment/contracts/events';", 'imports EventsService: domain/ calls no service'],
    ["import * as events from '@catchment/contracts/events';", 'imports * of @catchment/contracts/events'],
    ["import { Row } from '@catchment/contracts/events';\nRow.decode(bytes);", 'reads or writes Row'],
    ["import { Row } from '@catchment/contracts/events';\nRow['encode'](row);", 'reads or writes Row'],
    ["import { Row } from '@catchment/contracts/events';\nconst { decode } = Row;", 'reads or writes Row'],
    ["import * as ids from '@catchment/ids';", 'imports * of @catchment/ids'],
    ["import { fileTypeFromFile } from 'file-type';", 'imports fileTypeFromFile of file-type'],
    ["import '../../tree/index.ts';", 'imports what runs of ../../tree/index.ts'],
    ["await fetch('https://example.org');", 'uses fetch'],
    ['const signal = AbortSignal.timeout(1_000);', 'uses AbortSignal'],
    ['global.setTimeout(f, 1);', 'uses global'],
    ['queueMicrotask(f);', 'uses queueMicrotask'],
    ["const day = new Intl.DateTimeFormat('en-CA').format();", 'calls format()'],
    ['const f = (deps: Deps) => deps.database.transaction(g);', 'calls transaction()'],
    ['const now = Date.now();', 'uses Date'],
    ["const now = Date['now']();", 'uses Date'],
    ['const now = new Date();', 'uses Date'],
    ['const now = new Date(...[]);', 'uses Date'],
    ['const now = new Date(undefined);', 'uses Date'],
    ['const now = Date();', 'uses Date'],
    ['const Clock = Date;', 'uses Date'],
    ['const { now } = Date;', 'uses Date'],
    ['const x = Math.random();', 'uses Math'],
    ["const x = Math['random']();", 'uses Math'],
    ['const M = Math;', 'uses Math'],
    ['const { random } = Math;', 'uses Math'],
    ['const now = Temporal.Now.instant();', 'uses Temporal'],
    ['const { Now } = Temporal;', 'uses Temporal'],
    ['const now = globalThis.Date.now();', 'uses globalThis'],
    ["const now = eval('1');", 'uses eval'],
  ]),
  ...refusals('tree/store/names-query.ts', [
    ['await on.query(`refresh materialized view names`);', 'is a query, and writes'],
    ['await on.query(`truncate names restart identity`);', 'is a query, and writes'],
    ['await on.query(`notify names`);', 'is a query, and writes'],
    ['await on.query(`lock names in exclusive mode`);', 'is a query, and writes'],
    ['await on.query(`select id into old from names`);', 'is a query, and writes'],
    ["await on.query('UPDATE names ' + 'SET age = 1');", 'is a query, and writes'],
    ["import { deleteInBatches } from '@catchment/pg';", 'is a query, and writes'],
    ["import { appendMails } from '@catchment/mail';", 'is a query, and writes'],
    ["import { saveNodes } from '@catchment/node-replica';", 'is a query, and writes'],
    [
      "import { grow } from '../usecases/writing.ts';",
      'is a query, and takes services/events/src/tree/usecases/writing.ts, which writes',
    ],
    ['await on.query(`DELETE FROM names`);', 'is a query, and writes'],
    ['await on.query(`delete  from names`);', 'is a query, and writes'],
    ['await on.query(`UPDATE names_of_2024 kept SET name = $1`);', 'is a query, and writes'],
    ['await on.query(`UPDATE names AS n SET name = $1`);', 'is a query, and writes'],
    ['await on.query(`UPDATE ONLY names SET name = $1`);', 'is a query, and writes'],
    ['await on.query(`MERGE INTO names n USING x ON true`);', 'is a query, and writes'],
    [
      'await on.query(`WITH a AS (INSERT INTO names VALUES (1) RETURNING *) SELECT * FROM a`);',
      'is a query, and writes',
    ],
    ["await on.query(`SELECT pg_notify('a', 'b')`);", 'is a query, and writes'],
    ["await on.query(`SELECT nextval('ids')`);", 'is a query, and writes'],
    ["import { appendOutbox } from '@catchment/pg';", 'is a query, and writes'],
    [
      "export * from './pg-names.ts';",
      'is a query, and takes services/events/src/tree/store/pg-names.ts, which writes',
    ],
    [
      "export { saveName } from './pg-names.ts';",
      'is a query, and takes services/events/src/tree/store/pg-names.ts, which writes',
    ],
    [
      "import { dropName } from './pg-names.ts';",
      'is a query, and takes services/events/src/tree/store/pg-names.ts, which writes',
    ],
  ]),
  ...refusals('mail/store/mail-query.ts', [
    [
      "import { renamed } from '../../tree/index.ts';",
      'is a query, and takes services/events/src/tree/store/pg-names.ts, which writes',
    ],
  ]),
  ...refusals('mail/index.ts', [["export * from './usecases/m.ts';", 'gives all of ./usecases/m.ts']]),
])('refused: %s with %s', async (file, text, says) => {
  await write(file, text);
  const lines = await checkLayerContents(root);
  expect(lines.join('\n')).toContain(`${SOURCE}/${file} ${says}`);
});

test.each([
  ['tree/store/pg-ages.ts', 'export const ages = (on) => on.query(`UPDATE names SET age = age + 1`);'],
  ['tree/store/ages-query.ts', 'export const ages = (on) => on.query(`SELECT age FROM names FOR UPDATE`);'],
  ['mail/usecases/u.ts', "import { findName, grow, type Name } from '../../tree/index.ts';"],
  [
    'mail/usecases/u.ts',
    "throw new Error('choose a time from the list: update it, set it anew, or delete it from there');",
  ],
  ['mail/usecases/u.ts', '// SELECT id FROM names\nstore.save(name);'],
  ['mail/store/pg-mail.ts', "import { saveName } from '../../tree/index.ts';"],
  ['mail/store/mail-query.ts', "import { findName, NAME_COLUMNS } from '../../tree/index.ts';"],
  ['mail/transport/files.ts', 'const read = (deps, id) => readMail(deps.store, id);'],
  ['mail/transport/files.ts', 'const { query } = request;\nquery.get(name);'],
  [
    'tree/transport/tree-handlers.ts',
    "import type { Name } from '../usecases/ports.ts';\nconst f = (name: Name) => name.name.trim();",
  ],
  ['mail/domain/d.ts', "import { type grow, nameOf } from '../../tree/index.ts';"],
  [
    'mail/domain/d.ts',
    'type At = { readonly at: Date; readonly Math: Date };\nconst day = (ms: number) => new Date(ms).getUTCDay() + Date.UTC(2026, 1) + Math.max(1, 2);',
  ],
  ['mail/domain/d.ts', 'const f = (process: string, signal: AbortSignal) => process.trim();'],
  ['mail/domain/d.ts', "import { ValueType, type Row } from '@catchment/contracts/events';\nuse(ValueType.BOOL);"],
  ['mail/domain/d.ts', 'const at = (of: Temporal.Instant) => Temporal.Instant.compare(of, of);'],
  ['mail/usecases/u.test.ts', "import * as tree from '../../tree/index.ts';\nawait on.query('DELETE FROM names');"],
])('allowed: %s with %s', async (file, text) => {
  await write(file, text);
  expect(await checkLayerContents(root)).toEqual([]);
});

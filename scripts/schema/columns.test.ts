import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { STORED, schemaFile } from './schema-file.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Nothing uses these any more. Pods of the release before do: the next one drops them (docs/adr/0041-one-engine.md). */
const GOING: Readonly<Record<string, readonly string[]>> = {
  historic: ['hand_over', 'outbox', 'rating_marks', 'ratings', 'refused_outbox'],
  nodes: ['node_alarms.current_state_ms'],
  processing: ['ratings_released'],
};

/** The SQL of these tables is in packages: a service uses them if its files say so. */
const OF_PACKAGES: Readonly<Record<string, string>> = {
  mails: 'appendMails(',
  outbox: 'outbox: true',
  refused_outbox: 'outbox: true',
};

const FUNCTION = /^CREATE OR REPLACE FUNCTION (\w+)[\s\S]*?\$function\$([\s\S]*?)\$function\$/gm;
const TRIGGER = /^CREATE TRIGGER .*? ON (\w+) .*FUNCTION (\w+)\(/gm;
const VIEW = /^CREATE VIEW [\s\S]*?;/gm;
const TABLE = /^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm;
const COLUMN = /^ {2}([a-z]\w*) /gm;
const TABLES_IN_SQL = /\b(?:FROM|INTO|UPDATE|JOIN|TABLE|ONLY|USING)\s+(\w+)/g;

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

async function textOf(...patterns: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob(patterns, { cwd: root }))
    if (!/\.test\.ts$|generated|testkit/.test(file)) texts.push(await readFile(path.join(root, file), 'utf8'));
  return texts.join('\n');
}

const shared = new Set(wordsOf(await textOf('packages/*/src/**/*.ts', 'cli/src/**/*.ts')));

test.each(STORED)(
  'every table and column of %s is used, but for those that the next release drops',
  async (service) => {
    const schema = await readFile(schemaFile(service), 'utf8');
    const text = await textOf(`services/${service}/src/**/*.ts`);
    const own = new Set(wordsOf(text));
    const tables = new Set([...text.matchAll(TABLES_IN_SQL)].map(([, table = '']) => table));
    for (const [table, sign] of Object.entries(OF_PACKAGES)) if (text.includes(sign)) tables.add(table);
    const triggers = [...schema.matchAll(TRIGGER)].map(([, table = '', called = '']) => ({ table, called }));
    const isRun = (name: string) => {
      const of = triggers.filter(({ called }) => called === name);
      return of.length === 0 || of.some(({ table }) => tables.has(table));
    };
    const functions = [...schema.matchAll(FUNCTION)].flatMap(([, name = '', body = '']) => (isRun(name) ? [body] : []));
    const inside = new Set([...functions, ...(schema.match(VIEW) ?? [])].flatMap(wordsOf));
    const isUsed = (table: string) => tables.has(table) || inside.has(table);
    const isNamed = (column: string) => shared.has(column) || own.has(column) || inside.has(column);
    const unused = [...schema.matchAll(TABLE)].flatMap(([, table = '', body = '']) => {
      const columns = [...body.matchAll(COLUMN)].map(([, column = '']) => column);
      return isUsed(table)
        ? columns.filter((column) => !isNamed(column)).map((column) => `${table}.${column}`)
        : [table];
    });
    const going = GOING[service] ?? [];
    const known = unused.map((name) => going.find((left) => name === left || name.startsWith(`${left}.`)) ?? name);
    expect([...new Set(known)].sort()).toEqual(going);
  },
);

import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { STORED, schemaFile } from './schema-file.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Nothing uses these any more. Pods of the release before do: the next one drops them (docs/adr/0041-one-engine.md). */
const GOING: Readonly<Record<string, readonly string[]>> = {
  historic: ['rating_marks', 'ratings'],
  nodes: ['node_alarms.current_state_ms'],
  processing: ['ratings_released'],
};

const FUNCTION = /\$function\$[\s\S]*?\$function\$/g;
const VIEW = /^CREATE VIEW [\s\S]*?;/gm;
const TABLE = /^CREATE TABLE (\w+) \(\n([\s\S]*?)^\)/gm;
const COLUMN = /^ {2}([a-z]\w*) /gm;

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

async function wordsIn(...patterns: readonly string[]): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for await (const file of glob(patterns, { cwd: root }))
    if (!/\.test\.ts$|generated|testkit/.test(file))
      for (const word of wordsOf(await readFile(path.join(root, file), 'utf8'))) words.add(word);
  return words;
}

const shared = await wordsIn('packages/*/src/**/*.ts', 'cli/src/**/*.ts');

test.each(STORED)(
  'every table and column of %s is used, but for those that the next release drops',
  async (service) => {
    const schema = await readFile(schemaFile(service), 'utf8');
    const own = await wordsIn(`services/${service}/src/**/*.ts`);
    const inside = new Set([FUNCTION, VIEW].flatMap((pattern) => (schema.match(pattern) ?? []).flatMap(wordsOf)));
    const isNamed = (name: string) => shared.has(name) || own.has(name) || inside.has(name);
    const unused = [...schema.matchAll(TABLE)].flatMap(([, table = '', body = '']) => {
      const columns = [...body.matchAll(COLUMN)].map(([, column = '']) => column);
      return isNamed(table)
        ? columns.filter((column) => !isNamed(column)).map((column) => `${table}.${column}`)
        : [table];
    });
    const going = GOING[service] ?? [];
    const known = unused.map((name) => going.find((left) => name === left || name.startsWith(`${left}.`)) ?? name);
    expect([...new Set(known)].sort()).toEqual(going);
  },
);

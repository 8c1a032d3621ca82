/** The migrations comment tables, columns, indexes, views and functions; the key is the name: `devices`, `devices.device_key`. */
export type Comments = ReadonlyMap<string, readonly string[]>;

const CREATED = /^CREATE (?:OR REPLACE )?(?:UNIQUE )?(TABLE|INDEX|VIEW|FUNCTION|SEQUENCE)(?: IF NOT EXISTS)? (\w+)/i;
const ALTERED = /^ALTER TABLE (?:IF EXISTS )?(\w+)(.*)/i;
const ADDED = /\bADD COLUMN (?:IF NOT EXISTS )?(\w+)/i;
const RENAMED = /\bRENAME TO (\w+)/i;
const COLUMN_RENAMED = /\bRENAME COLUMN (\w+) TO (\w+)/i;
const DROPPED = /^DROP TABLE (?:IF EXISTS )?(\w+)/i;
const COLUMN = /^ {2}(?!(?:CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN|EXCLUDE|LIKE)\b)(\w+) /;

/**
 * Returns the comments that stand above what migrations make. PostgreSQL does not keep them.
 * @param migrations their texts, in the order in which they are applied: the last word counts
 */
export function migrationComments(migrations: readonly string[]): Comments {
  const comments = new Map<string, readonly string[]>();
  for (const text of migrations) readMigration(text, comments);
  return comments;
}

function readMigration(text: string, comments: Map<string, readonly string[]>): void {
  let above: string[] = [];
  /** These lines make or add columns of this table. */
  let table = '';
  const say = (name: string) => {
    if (above.length > 0) comments.set(name, above);
    above = [];
  };
  for (const line of text.split('\n')) {
    const comment = /^\s*-- ?(.*)$/.exec(line);
    if (comment) {
      above.push(comment[1]!);
      continue;
    }
    const [, kind, created = ''] = CREATED.exec(line) ?? [];
    const [, altered, change] = ALTERED.exec(line) ?? [];
    if (kind !== undefined) {
      say(created);
      table = kind.toUpperCase() === 'TABLE' ? created : '';
    } else if (altered !== undefined) table = altered;
    // A word above several changes of a table is about the table.
    if (altered !== undefined && change === '') above = [...(comments.get(altered) ?? []), ...above];
    const column = ADDED.exec(line)?.[1] ?? COLUMN.exec(line)?.[1];
    if (table !== '' && column !== undefined) say(`${table}.${column}`);
    else if (altered !== undefined && change === '') say(altered);
    else above = [];
    const [, from, to] = COLUMN_RENAMED.exec(line) ?? [];
    if (from !== undefined) move(comments, `${table}.${from}`, `${table}.${to}`);
    const renamed = altered && RENAMED.exec(line)?.[1];
    if (altered && renamed)
      for (const name of namesOf(comments, altered)) move(comments, name, renamed + name.slice(altered.length));
    const dropped = DROPPED.exec(line)?.[1];
    if (dropped !== undefined) for (const name of namesOf(comments, dropped)) comments.delete(name);
    if (line.includes(';')) table = '';
  }
}

const namesOf = (comments: Comments, table: string): string[] =>
  [...comments.keys()].filter((name) => name === table || name.startsWith(`${table}.`));

function move(comments: Map<string, readonly string[]>, from: string, to: string): void {
  const comment = comments.get(from);
  comments.delete(from);
  if (comment) comments.set(to, comment);
}

/** Returns the last statement that makes each view: what PostgreSQL writes of a view depends on its version. */
export const viewStatements = (migrations: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    migrations.flatMap((text) =>
      [...text.matchAll(/^CREATE (?:OR REPLACE )?VIEW (\w+)[^;]*;/gim)].map(
        ([statement, name = '']) => [name, statement] as const,
      ),
    ),
  );

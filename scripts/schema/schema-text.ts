import type { Comments } from './migration-comments.ts';
import type { Column, Named, Schema, Table } from './read-schema.ts';

/**
 * Writes a schema for people, with what its migrations say of it.
 * @param views the statement that makes each view, by its name
 */
export function schemaText(
  service: string,
  schema: Schema,
  { comments, views }: { readonly comments: Comments; readonly views: ReadonlyMap<string, string> },
): string {
  const made = ({ name, statement }: Named) =>
    `${commentOf(comments, name)}${statement.trimEnd().replace(/;?$/, ';')}\n`;
  const parts = [
    `-- The tables of ${service} as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.\n`,
    ...schema.sequences.map((name) => made({ name, statement: `CREATE SEQUENCE ${name}` })),
    ...schema.tables.map((table) =>
      [tableText(table, comments), ...[...table.indexes, ...table.triggers].map(plain).map(made)].join(''),
    ),
    ...schema.views.map((name) => made({ name, statement: views.get(name) ?? '' })),
    ...schema.functions.map(made),
  ];
  return parts.join('\n');
}

function tableText(
  { name, bound, parents, partitions, options, columns, constraints }: Table,
  comments: Comments,
): string {
  const begin = `${commentOf(comments, name)}CREATE TABLE ${name}`;
  if (bound !== null) return `${begin} PARTITION OF ${parents?.join()} ${bound};\n`;
  const lines = [
    ...columns.map((column) => [commentOf(comments, `${name}.${column.name}`, '  '), columnText(column)]),
    ...constraints.map((constraint) => ['', `  ${constraintText(name, constraint)}`]),
  ];
  const body = lines.map(([comment, line], at) => `${comment}${line}${at < lines.length - 1 ? ',' : ''}\n`).join('');
  const end = [
    parents && `INHERITS (${parents.join(', ')})`,
    partitions && `PARTITION BY ${partitions}`,
    options && `WITH (${options.join(', ')})`,
  ];
  return `${begin} (\n${body})${end.map((text) => (text ? ` ${text}` : '')).join('')};\n`;
}

function columnText({ name, type, isRequired, value }: Column): string {
  const rule = isRequired && !value?.includes('IDENTITY') ? ' NOT NULL' : '';
  return short(`  ${name} ${type}${rule}${value === null ? '' : ` ${value}`}`);
}

/** The type of a column stands before its default; the longest type of all has a short name. */
const short = (column: string): string =>
  column.replace(/('(?:[^']|'')*')::[a-z ]+$/, '$1').replace(/ timestamp(\(\d\))? with time zone/, ' timestamptz$1');

/** A name that PostgreSQL has made says nothing. */
function constraintText(table: string, { name, rule }: Table['constraints'][number]): string {
  const isMade = name.startsWith(`${table}_`) && /_(pkey|key|fkey|check)\d*$/.test(name);
  return isMade ? rule : `CONSTRAINT ${name} ${rule}`;
}

/** Leaves out what PostgreSQL says of every index, and of those of tables with partitions. */
const plain = ({ name, statement }: Named): Named => ({
  name,
  statement: statement.replace(' USING btree', '').replace(' ON ONLY ', ' ON '),
});

const commentOf = (comments: Comments, name: string, indent = ''): string =>
  (comments.get(name) ?? []).map((line) => `${`${indent}-- ${line}`.trimEnd()}\n`).join('');

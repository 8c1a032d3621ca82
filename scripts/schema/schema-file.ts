import { globSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { migrationComments, viewStatements } from './migration-comments.ts';
import { readSchema } from './read-schema.ts';
import { schemaText } from './schema-text.ts';

const SERVICES = path.resolve(import.meta.dirname, '../../services');

/** Services with tables. */
export const STORED = globSync('*/migrations', { cwd: SERVICES }).map(path.dirname).sort();

/** The tables of a service stand here, for people. */
export const schemaFile = (service: string): string => path.join(SERVICES, service, 'schema.sql');

/** @param url of a database that has all migrations of the service */
export async function schemaFileText(service: string, url: string): Promise<string> {
  const folder = path.join(SERVICES, service, 'migrations');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  const said = { comments: migrationComments(migrations), views: viewStatements(migrations) };
  return schemaText(service, await readSchema(url, service), said);
}

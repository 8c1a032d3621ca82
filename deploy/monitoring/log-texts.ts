import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The end of a call of a logger: `log.warn({ … }, 'text')` or `log.warn('text')`, on one line or several; levels that are computed too. */
const MESSAGE = /\blog(?:ger)?(?:\.\w+|\[[^\]]+\])\((?:\s*\{[^;]*?\},)?\s*(?:'([^']+)'|`([^`]+)`)/g;
/** Every line can have these: its level. */
const LEVELS = ['"level":"error"', '"level":"warn"'];

/** Lists messages of log lines that the code of a service writes, or that of all where none is named. */
export async function logTexts(service = '*'): Promise<string[]> {
  const texts = new Set(LEVELS);
  const sources = `{packages/*,services/${service}}/src/**/*.ts`;
  for await (const file of glob(sources, { cwd: ROOT, exclude: (name) => name.endsWith('.test.ts') })) {
    const text = await readFile(path.join(ROOT, file), 'utf8');
    for (const [, plain, template] of text.matchAll(MESSAGE)) texts.add((plain ?? template) as string);
  }
  return [...texts];
}

// `node bench/src/capacity/build-page.ts` writes docs/operations/capacity.html from the formula and bench/figures.json.
import { readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { figuresOf, measuredFigures } from './figures.ts';

export const PAGE = path.resolve(import.meta.dirname, '../../../docs/operations/capacity.html');

/** Makes the page: one file that needs no server and no network. */
export async function capacityPage(): Promise<string> {
  const [template, model, measured] = await Promise.all([
    readFile(path.join(import.meta.dirname, 'page.html'), 'utf8'),
    readFile(path.join(import.meta.dirname, 'model.ts'), 'utf8'),
    measuredFigures(),
  ]);
  const script = stripTypeScriptTypes(model, { mode: 'strip' })
    .replaceAll(/^export /gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
  return template
    .replace('/*MODEL*/', () => script)
    .replace('/*MEASURED*/null', () => JSON.stringify(measured))
    .replace('/*FIGURES*/null', () => JSON.stringify(figuresOf(measured)));
}

if (import.meta.main) await writeFile(PAGE, await capacityPage());

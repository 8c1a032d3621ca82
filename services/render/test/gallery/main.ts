// `npm run gallery -w services/render [-- [--keep] <file>]`: every setting of charts as a picture, on one page; `--keep`: the pictures are right from now on.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { createDrawPool } from '../../src/clients/drawing/draw-pool.ts';
import { CASES, type Case } from './cases.ts';
import { drawCase, pictureFile } from './draw-case.ts';

const { values, positionals } = parseArgs({
  options: { keep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [file = 'gallery.html'] = positionals;

await using open = new AsyncDisposableStack();
const pool = open.adopt(await createDrawPool({ threads: 1, heapMegabytes: 512 }), (drawing) => drawing.close());

async function pictureOf(example: Case): Promise<string> {
  const { bytes } = await drawCase(example, (request) => pool.draw(request, new AbortController().signal));
  if (values.keep)
    await writeFile(
      pictureFile(example),
      await sharp(bytes).png({ palette: true, colours: 64, effort: 10 }).toBuffer(),
    );
  return Buffer.from(bytes).toString('base64');
}

if (values.keep) {
  const folder = new URL('pictures/', import.meta.url);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
}
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const sections: string[] = [];
for (const [group, cases] of Map.groupBy(CASES, (example) => example.group)) {
  const figures: string[] = [];
  for (const example of cases) {
    const caption = `<b>${escaped(example.setting)}</b>: ${escaped(example.value)}`;
    const alt = escaped(`${group}, ${example.setting} ${example.value}`);
    figures.push(
      `<figure><img alt="${alt}" src="data:image/png;base64,${await pictureOf(example)}"><figcaption>${caption}</figcaption></figure>`,
    );
  }
  sections.push(`<h2>${escaped(group)}</h2><section>${figures.join('\n')}</section>`);
}
await writeFile(
  file,
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Charts of Catchment</title><style>
body { font: 15px sans-serif; margin: 2rem; color: #333 }
section { display: flex; flex-wrap: wrap; gap: 1rem }
figure { margin: 0 } img { max-width: 600px; border: 1px solid #e5e7eb }
</style><h1>Charts of Catchment</h1>
${sections.join('\n')}
</html>
`,
);
process.stdout.write(`${CASES.length} pictures in ${file}\n`);

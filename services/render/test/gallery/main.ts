// `npm run gallery [-- <file>]`: every setting of charts as a picture, on one page.
import { writeFile } from 'node:fs/promises';
import { drawImage } from '../../src/clients/drawing/draw-image.ts';
import { packagedFonts } from '../../src/clients/drawing/fonts/font-config.ts';
import { renderNode } from '../../src/usecases/render-node.ts';
import { CASES, type Case } from './cases.ts';
import { depsOf } from './world.ts';

const [file = 'gallery.html'] = process.argv.slice(2);
const NOW = Date.parse('2024-05-18T00:00:00Z');

await using open = new AsyncDisposableStack();
const fonts = open.adopt(await packagedFonts(), (packaged) => packaged.close());
process.env.FONTCONFIG_FILE = fonts.configFile;

async function pictureOf({ world, nodeRef, arguments: given }: Case): Promise<string> {
  const sizes = { width: '600', height: '400' };
  const command = { nodeRef, arguments: { ...sizes, ...given }, arrivalMs: NOW };
  const call = { token: '', deadlineMs: Number.POSITIVE_INFINITY, signal: new AbortController().signal };
  const { bytes } = await renderNode(depsOf(world, drawImage), command, call);
  return Buffer.from(bytes).toString('base64');
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const sections: string[] = [];
for (const [group, cases] of Map.groupBy(CASES, (one) => one.group)) {
  const figures: string[] = [];
  for (const one of cases) {
    const caption = `<b>${escaped(one.setting)}</b>: ${escaped(one.value)}`;
    const alt = escaped(`${group}, ${one.setting} ${one.value}`);
    figures.push(
      `<figure><img alt="${alt}" src="data:image/png;base64,${await pictureOf(one)}"><figcaption>${caption}</figcaption></figure>`,
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

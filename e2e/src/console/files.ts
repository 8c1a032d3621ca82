import { deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

export type Given = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };

/** Makes a picture of one colour, large enough to be distinguished from its preview. */
export const pictureFile = async (name: string, background: string): Promise<Given> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer(),
});

export const textFile = (name: string, content: string, mimeType = 'text/csv'): Given => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** Makes a document of one page with a filled square. */
export function pdfFile(name: string): Given {
  const stream = deflateSync(Buffer.from('0.1 0.5 0.7 rg 20 20 160 160 re f'));
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>'),
    Buffer.concat([
      Buffer.from(`<</Filter/FlateDecode/Length ${stream.length}>>stream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
  ];
  const head = Buffer.from('%PDF-1.4\n');
  const parts = objects.map((object, i) =>
    Buffer.concat([Buffer.from(`${i + 1} 0 obj`), object, Buffer.from('endobj\n')]),
  );
  const offsets = parts.map((_, i) => head.length + Buffer.concat(parts.slice(0, i)).length);
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const body = Buffer.concat([head, ...parts]);
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
  return { name, mimeType: 'application/pdf', buffer: Buffer.concat([body, Buffer.from(end)]) };
}

/** Drops files as from a window beside the browser. */
export async function dropFiles(page: Page, files: readonly Given[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }));
  const dataTransfer = await page.evaluateHandle(`(async () => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, base64 } of ${JSON.stringify(given)}) {
      const bytes = await (await new Response(Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)))).blob();
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  })()`);
  await page.dispatchEvent('.file-drop', 'drop', { dataTransfer });
}

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';
import { createDrawPool, type DrawPool } from '../../src/clients/drawing/draw-pool.ts';
import { CASES, type Case } from './cases.ts';
import { drawCase, nameOf, pictureFile } from './draw-case.ts';

/** This share of pixels may look different: other builds of the libraries smooth edges and texts in their own ways. */
const TOLERATED = 0.002;

let pool: DrawPool;
beforeAll(async () => {
  pool = await createDrawPool({ threads: 1, heapMegabytes: 512 });
});
afterAll(() => pool.close());

const pixelsOf = async (png: Uint8Array) => {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

test.each(CASES.map((example): [string, Case] => [nameOf(example), example]))(
  '%s looks as it did',
  async (_name, example) => {
    const { bytes } = await drawCase(example, (request) => pool.draw(request, new AbortController().signal));
    const file = pictureFile(example);
    const [now, before] = await Promise.all([pixelsOf(bytes), readFile(file).then(pixelsOf)]);
    const { width, height } = before;
    expect([now.width, now.height]).toEqual([width, height]);
    const shown = Buffer.alloc(width * height * 4);
    const different = pixelmatch(before.data, now.data, shown, width, height, { threshold: 0.15 });
    if (different <= width * height * TOLERATED) return;
    const seen = join(tmpdir(), basename(file.pathname));
    await writeFile(
      seen,
      await sharp(shown, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer(),
    );
    throw new Error(
      `${different} pixels are different: see ${seen}. If the picture is right, keep it by: npm run gallery -w services/render -- --keep`,
    );
  },
);

test('no picture is kept of a setting that is gone', async () => {
  const kept = await readdir(new URL('pictures/', import.meta.url));
  expect(kept.toSorted()).toEqual(CASES.map((example) => basename(pictureFile(example).pathname)).toSorted());
});

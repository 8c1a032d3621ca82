import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openSync } from 'fontkit';
import { FONTS, fileOf, licenceFileOf } from './fonts.ts';

const FILES = FONTS.flatMap((font) => font.styles.map((style) => fileOf(font, style)));

test('the fonts that lie here are those of the list, and have their licences beside them', async () => {
  const lie = async (folder: string) =>
    (await readdir(path.join(import.meta.dirname, folder))).map((name) => path.join(import.meta.dirname, folder, name));
  expect([...(await lie('pictures')), ...(await lie('reports'))].sort()).toEqual([...FILES].sort());
  expect((await lie('licences')).sort()).toEqual(FONTS.map(licenceFileOf).sort());
  for (const font of FONTS) {
    expect(font.licence).toBe('OFL-1.1');
    expect(await readFile(licenceFileOf(font), 'utf8')).toContain('SIL Open Font License, Version 1.1');
  }
});

test.each(FONTS)('the files of $family are fonts of that name', ({ family, ...font }) => {
  for (const style of font.styles) {
    const opened = openSync(fileOf({ ...font, family }, style));
    expect('fonts' in opened ? 'a collection' : opened.fullName).toMatch(new RegExp(`^${family}\\b`));
    if (!('fonts' in opened)) expect(opened.numGlyphs).toBeGreaterThan(50);
  }
});

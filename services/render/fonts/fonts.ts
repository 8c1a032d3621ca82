import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The font lies here, and is of this package of npm. */
export type PackagedFont = {
  readonly family: string;
  /** `pictures`: of pictures and reports; `reports`: of reports alone. */
  readonly folder: string;
  /** The names that the package uses: 400Regular, 700Bold_Italic … */
  readonly styles: readonly string[];
  readonly licence: string;
  readonly package: string;
  readonly version: string;
  readonly integrity: string;
};

export const FONTS: readonly PackagedFont[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'fonts.json'), 'utf8'),
);

export const fileOf = ({ folder, family }: Pick<PackagedFont, 'folder' | 'family'>, style: string): string =>
  path.join(import.meta.dirname, folder, `${family.replaceAll(' ', '')}_${style}.ttf`);

export const licenceFileOf = ({ package: name }: PackagedFont): string =>
  path.join(import.meta.dirname, 'licences', `${path.basename(name)}.txt`);

import { FONTS } from '../../services/render/fonts/fonts.ts';
import type { ImagePackage } from './image-packages.ts';

/** The fonts of these packages lie in services/render/fonts, under the licence of what was taken of them. */
export const FONT_PACKAGES: readonly ImagePackage[] = FONTS.map(({ package: name, version, licence }) => ({
  name,
  version,
  licence,
}));

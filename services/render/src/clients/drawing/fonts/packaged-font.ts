import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The file of a font that is packaged with us. @param style as the package names it: 400Regular, 700Bold_Italic … */
export const packagedFont = (family: string, style: string): string =>
  require.resolve(
    `@expo-google-fonts/${family.toLowerCase().replaceAll(' ', '-')}/${style}/${family.replaceAll(' ', '')}_${style}.ttf`,
  );

/**
 * Returns a text as it is compared in searches: lower-case, without accents. `folded_text` of migration 0055 does the
 * same.
 */
export const foldedText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** Returns the words of a search, each once; paths and customIds may be written as they are elsewhere. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    foldedText(text)
      .split(/[\s/]+/u)
      .map((word) => word.replace(/^@/, ''))
      .filter((word) => word !== ''),
  ),
];

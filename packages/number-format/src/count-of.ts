/**
 * Says how many there are, with their noun: `1 line`, `2 lines`, `0 lines`.
 * @param singular the noun, or the words that change with it: `line has`
 * @param many the noun for another number than 1; by default with an s at the end
 */
export const countOf = (count: number, singular: string, many = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : many}`;

import { type Element, mergedStyle, type Style, type Template } from './template.ts';

const MAX_LEVEL = 3;
/** A longer text is no heading, however it is set. */
const MAX_CHARACTERS = 200;

/**
 * Sizes of the texts that make bookmarks, largest first: those of bold texts of the content that are larger than most of its text.
 */
export function headingSizes({ elements, styles }: Template): readonly number[] {
  const used = new Map<number, number>();
  const bold = new Set<number>();
  const visit = (some: readonly Element[]) => {
    for (const element of some) {
      visit(element.elements);
      if (element.area !== 'CONTENT' || !['TEXT', 'TABLE'].includes(element.type)) continue;
      const style = mergedStyle(styles.get(element.styleId), element.style);
      const cells = [element.headerRow, ...element.rows].flat();
      const characters = cells.reduce((sum, { content }) => sum + content.length, element.content.length);
      if (element.type === 'TEXT' && style.bold && element.content.length <= MAX_CHARACTERS) bold.add(style.fontSize);
      else used.set(style.fontSize, (used.get(style.fontSize) ?? 0) + characters);
    }
  };
  visit(elements);
  const [body = 0] = [...used].sort(([, a], [, b]) => b - a).map(([size]) => size);
  return [...bold].filter((size) => size > body).sort((a, b) => b - a);
}

/** Returns the level of the bookmark of a text; 0 for none. */
export function headingOf({ bold, fontSize }: Style, text: string, sizes: readonly number[]): number {
  if (!bold || text.trim() === '' || text.length > MAX_CHARACTERS) return 0;
  return Math.min(sizes.indexOf(fontSize) + 1, MAX_LEVEL);
}

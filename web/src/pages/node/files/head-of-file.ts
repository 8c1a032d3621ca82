/** Reads a text as people read it: by its mark, as UTF-8 where it is that, otherwise as windows-1252. */
export function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // The beginning of a file may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const SHOWN_ROWS = 50;
export const SHOWN_COLUMNS = 30;

/** Reads the first lines of a table of text, cell by cell; undefined: it is none. */
export function rowsOf(text: string): readonly (readonly string[])[] | undefined {
  const lines = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, SHOWN_ROWS);
  const delimiter = [';', '\t', ',', '|'].find((sign) => isParting(lines, sign));
  return delimiter === undefined ? undefined : lines.map((line) => cellsOf(line, delimiter));
}

/** Most lines have it equally often, such as all but those above the names. */
function isParting(lines: readonly string[], sign: string): boolean {
  const counts = lines.map((line) => cellsOf(line, sign).length);
  const usual = counts.at(-2) ?? counts[0] ?? 1;
  return usual > 1 && counts.filter((count) => count === usual).length * 2 > counts.length;
}

/** A delimiter within quotes is a character. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  const cells: string[] = [''];
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === delimiter && !isQuoted) cells.push('');
    else cells[cells.length - 1] += sign;
  }
  return cells;
}

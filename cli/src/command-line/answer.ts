/** Option of every command. */
export type JsonOption = { readonly json?: boolean };

/** Writes the result of a command: one JSON document on a line, or lines for people. */
export function answer({ json }: JsonOption, document: object, lines: () => string | readonly string[]): void {
  const printed = json ? JSON.stringify(document, bigintText) : lines();
  for (const line of typeof printed === 'string' ? [printed] : printed) console.log(line);
}

const bigintText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Writes a text for a terminal, to which data cannot write what it likes. */
export const onOneLine = (text: string): string => text.replaceAll(/\p{C}/gu, ' ');

/** Makes columns as wide as their widest cell; the last one ends where its text does. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

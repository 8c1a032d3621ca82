export type Cell = string | number;

/** A section with its table, as it can stand in a document. */
export function printTable(title: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`;
  console.log(['', `## ${title}`, '', line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n'));
}

export const thousands = (value: number): string => Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
export const fixed = (value: number, digits = 1): string => value.toFixed(digits);
export const relative = (value: number, base: number): string => `${(value / base).toFixed(2)}×`;
export const mib = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);

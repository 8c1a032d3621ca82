/** AUTOMATIC gives series these colours in their order, cyclically (docs/reference/charts.md#chart-endpoint). */
const PALETTE = [
  '#2f7ed8',
  '#0d233a',
  '#8bbc21',
  '#910000',
  '#1aadce',
  '#492970',
  '#f28f43',
  '#77a1e5',
  '#c42525',
  '#a6c96a',
] as const;

export const paletteColor = (index: number): string => PALETTE[index % PALETTE.length] ?? PALETTE[0];

export const PALETTE_SIZE: number = PALETTE.length;

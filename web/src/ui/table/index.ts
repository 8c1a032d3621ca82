export type { Choice, Column, Sort } from './columns.ts';
export { NOTHING, type Selection } from './selection.ts';
export { Table } from './table.tsx';
export type { TableWords } from './words.ts';

export type { Choice, Column, Sort } from './columns.ts';
export { NOTHING, type Selection } from './selection.ts';
export { Table, type TableProps } from './table.tsx';
export type { TableWords } from './words.ts';

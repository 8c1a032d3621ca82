import type { OpenedText, TextRecord } from '@catchment/delimited-text';

/** A person is shown at most this many ids. */
export const SHOWN = 5;

/** A column of the sample. */
export type Seen = {
  readonly at: number;
  readonly index: number;
  /** At most COLUMNS_MAX + 1 values. */
  readonly values: Set<string>;
};

/** This was read of a sample with the parser that is proposed for it. */
export type Sample = {
  readonly text: OpenedText;
  readonly records: readonly TextRecord[];
  readonly seen: readonly Seen[];
  /** Some rows have the time of another one. */
  readonly areCollapsed: boolean;
};

export const idOf = ({ cells }: TextRecord, { at }: Seen): string => String(cells[at]?.value ?? '');

/** No two rows of one time have one id. */
export function partsTimes(records: readonly TextRecord[], id: Seen): boolean {
  const rows = new Set(records.map((record) => `${record.timeMs} ${idOf(record, id)}`));
  return rows.size === records.length;
}

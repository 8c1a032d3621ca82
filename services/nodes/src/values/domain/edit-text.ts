type EditedRecords = {
  readonly records: number;
  /** Records whose value, quality or annotation was sent, one count each. */
  readonly values: number;
  readonly qualities: number;
  readonly annotations: number;
};

/** Counts what became of the records that an edit has touched. */
export type Edit = { readonly inserted: EditedRecords; readonly modified: EditedRecords; readonly deleted: number };

/** `3 records inserted [3 values], 1 modified [1 quality], 2 deleted` (docs/reference/writing.md#edits); what is 0 is left out. */
export const editText = ({ inserted, modified, deleted }: Edit): string =>
  [
    inserted.records > 0 ? `${inserted.records} records inserted${partsOf(inserted)}` : '',
    modified.records > 0 ? `${modified.records} modified${partsOf(modified)}` : '',
    deleted > 0 ? `${deleted} deleted` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');

function partsOf({ values, qualities, annotations }: EditedRecords): string {
  const parts = [
    [values, 'values'],
    [qualities, 'quality'],
    [annotations, 'annotations'],
  ] as const;
  const counted = parts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return counted.length > 0 ? ` [${counted.join(', ')}]` : '';
}

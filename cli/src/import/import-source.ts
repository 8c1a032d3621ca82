/** One entry of the `data` of a JTS document. */
export type ImportRecord = {
  /** The place in the file, such as `line 12` or `data[11]`. */
  readonly place: string;
  readonly ts: string;
  readonly f: Readonly<Record<string, unknown>>;
};

/** A file as it can be imported. */
export type ImportSource = {
  /** Description for people. */
  readonly description: string;
  /** `header.columns` of the documents, by column index. */
  readonly columns: Readonly<Record<string, object>>;
  /** Yields the records once, in the order of the file. */
  records(): AsyncGenerator<ImportRecord>;
  /** Skipped parts, a line each; complete once all records are read. */
  remarks(): readonly string[];
};

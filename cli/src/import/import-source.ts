/** An entry of JTS `data`. */
export type ImportRecord = {
  /** Such as `line 12` or `data[11]`. */
  readonly place: string;
  readonly ts: string;
  readonly f: Readonly<Record<string, unknown>>;
};

/** A file to be imported. */
export type ImportSource = {
  /** Description for people. */
  readonly description: string;
  /** The documents' `header.columns`, by index. */
  readonly columns: Readonly<Record<string, object>>;
  /** Yields the records once, in the order of the file. */
  records(): AsyncGenerator<ImportRecord>;
  /** Lists skipped parts, a line each; complete once all records are read. */
  remarks(): readonly string[];
};

/** A table says these; its page knows the language. */
export type TableWords = {
  readonly filter: string;
  readonly filterHint: string;
  readonly columns: string;
  readonly copy: string;
  /** Says that rows were copied. */
  readonly copied: (rows: string) => string;
  readonly export: string;
  readonly chooseAll: string;
  readonly chooseNone: string;
  readonly chosen: (count: string) => string;
  readonly rows: (count: string, isPart: boolean) => string;
  readonly noMatch: string;
  readonly showAll: string;
  readonly chooseRow: string;
  readonly sortBy: (column: string) => string;
  readonly keys: string;
};

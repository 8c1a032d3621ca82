/** A named table for Vega. Rows hold plain values; user text in them is never read as an expression. */
export type DataSet = { readonly name: string; readonly values: Record<string, string | number | boolean>[] };

export const dataSet = (name: string, values: Record<string, string | number | boolean>[]): DataSet => ({
  name: rowsOf(name).data,
  values,
});

/** Names the rows in a mark. Vega keeps marks and data sets in one name space, so the rows get a name of their own. */
export const rowsOf = (name: string): { data: string } => ({ data: `${name}-rows` });

/** A constant in an encoding. */
export const literal = <const T>(value: T): { value: T } => ({ value });

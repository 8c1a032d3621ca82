/** These arrays of one column's records are ready for the log. */
export type BuiltColumn = {
  readonly timestamps: Float64Array;
  readonly flags: Uint8Array;
  readonly numbers: Float64Array;
  readonly texts: readonly string[];
  readonly qualities: Uint16Array;
  readonly annotations: ReadonlyMap<number, string>;
};

/** A file, or one of those that came packed in one. */
export interface Member {
  /** The settings of a member are chosen by this name. */
  readonly name: string;
  /** All of it, unpacked; may be read again. */
  bytes(): AsyncIterable<Uint8Array>;
}

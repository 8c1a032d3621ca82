/** A member is a file, or came packed in a file. */
export interface Member {
  /** The settings of a member are chosen by this name. */
  readonly name: string;
  /** Yields all of it, unpacked; it may be read again. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** A file, or one of those that came packed in one. */
export interface Member {
  /** As its settings are chosen by it. */
  readonly name: string;
  /** All of it, unpacked; may be read again. */
  bytes(): AsyncIterable<Uint8Array>;
}

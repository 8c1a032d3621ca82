/** The configuration of an Attachment stores its file. */
export type StoredFile = {
  /** The id in the store of files stays the same on clones and instances. */
  readonly id: string;
  readonly size: number;
  readonly mimeType: string;
  /** The name at the upload; empty when none was given. */
  readonly name: string;
  /** Bytes of the preview; 0 = there is none. */
  readonly previewSize: number;
};

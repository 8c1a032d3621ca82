/** Files lie in such nodes as attachments. */
const HOLDS_FILES = /\.(?:Workspace|Group|Location|AttachmentSource)$/;

export const isAttachment = ({ _class }: { readonly _class: string }): boolean => _class.endsWith('.Attachment');

/** Returns whether a node has a part for files: of its own, or for what a source reads. */
export const hasFiles = ({ _class }: { readonly _class: string }): boolean =>
  HOLDS_FILES.test(_class) || (_class.includes('.source.data.') && !_class.endsWith('.Processor'));

/** Media types that browsers show by themselves (docs/reference/attachments.md#file-links); everything else is offered as a download. */
const INLINE = /^(image\/|video\/|application\/pdf$|text\/plain$)/;

/** Content-Disposition of a file (RFC 6266). */
export function contentDisposition(mimeType: string, fileName: string): string {
  const type = INLINE.test(mimeType) ? 'inline' : 'attachment';
  if (fileName === '') return type;
  const plain = fileName.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\]/g, '\\$&');
  const isPlain = /^[\x20-\x7e]*$/.test(fileName);
  // Percent-encoded as in URLs, and what the grammar of parameters leaves out beside.
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${type}; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${encoded}`}`;
}

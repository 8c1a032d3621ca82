/** Media types that browsers show by themselves (docs/reference/attachments.md#file-links); everything else is offered as a download. */
const INLINE = /^(image\/|video\/|application\/pdf$|text\/plain$)/;

/** Writes the Content-Disposition of a file (RFC 6266). */
export function contentDisposition(mimeType: string, fileName: string): string {
  const type = INLINE.test(mimeType) ? 'inline' : 'attachment';
  if (fileName === '') return type;
  const plain = fileName.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\]/g, '\\$&');
  const isPlain = /^[\x20-\x7e]*$/.test(fileName);
  // Percent-encoded as in URLs, and what the grammar of parameters leaves out beside.
  const encoded = encodeURIComponent(fileName).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${type}; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/** Returns the name that a header Content-Disposition gives its file (RFC 6266); undefined: none that can be read. */
export function fileNameOf(header: string): string | undefined {
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended);
    } catch {
      // The plain one may do.
    }
  }
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  // Node gives one character per byte; clients write UTF-8.
  const plain = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
  return plain === undefined ? undefined : Buffer.from(plain, 'latin1').toString('utf8');
}

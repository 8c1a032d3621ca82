import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@catchment/errors';

/** Links open the bytes as they were uploaded, or their small picture. */
export type FileVariant = 'file' | 'preview';

const PATHS: Readonly<Record<FileVariant, string>> = { file: '', preview: '/preview' };

/**
 * Links that open a file without a key (docs/reference/attachments.md#file-links):
 * `/files/<node id>?expires=<Unix seconds, 0 = never>&signature=<hex>`, signed over node, variant and end.
 */
export class FileLinks {
  readonly #key: Buffer;

  /** @param secret of the installation, at least 32 characters; links hold as long as it does */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'catchment file links', 32));
  }

  /**
   * Makes the path and the query of a link.
   * @param expiresMs Unix ms from which on it is refused, in whole seconds; undefined = never
   */
  path(nodeId: string, variant: FileVariant, expiresMs: number | undefined): string {
    const expires = String(expiresMs === undefined ? 0 : Math.ceil(expiresMs / 1000));
    return `/files/${nodeId}${PATHS[variant]}?expires=${expires}&signature=${this.#sign(nodeId, variant, expires).toString('hex')}`;
  }

  /** @throws DomainError permission_denied when a link is expired, or not one of ours */
  check(link: { nodeId: string; variant: FileVariant; expires: string; signature: string }, nowMs: number): void {
    const signature = Buffer.from(/^[0-9a-f]{64}$/.test(link.signature) ? link.signature : '', 'hex');
    const expected = this.#sign(link.nodeId, link.variant, link.expires);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
      throw new DomainError('permission_denied', 'LINK_NOT_VALID', 'Not permitted: the link is not valid');
    if (link.expires !== '0' && nowMs >= Number(link.expires) * 1000)
      throw new DomainError('permission_denied', 'LINK_EXPIRED', 'Not permitted: the link has expired');
  }

  #sign(nodeId: string, variant: FileVariant, expires: string): Buffer {
    return createHmac('sha256', this.#key).update(`${nodeId}\n${variant}\n${expires}`).digest();
  }
}

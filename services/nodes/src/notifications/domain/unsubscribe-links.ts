import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What a link stops: e-mails of a category of a Workspace to a person. Ids of 24 hex characters. */
export type Unsubscription = { readonly userId: string; readonly workspaceId: string; readonly categoryId: string };

const ID_BYTES = 12;
const PAYLOAD_BYTES = 3 * ID_BYTES;
const MAC_BYTES = 16;

/** Makes the links by which people stop e-mails without signing in, and reads them. Nothing of them is stored; they do not end. */
export class UnsubscribeLinks {
  readonly #appUrl: string;
  readonly #key: Buffer;

  /**
   * @param options.appUrl where people open pages
   * @param options.secret of the installation, at least 32 characters
   */
  constructor(options: { appUrl: string; secret: string }) {
    this.#appUrl = options.appUrl.replace(/\/+$/, '');
    this.#key = Buffer.from(hkdfSync('sha256', options.secret, '', 'catchment unsubscribe links', 32));
  }

  urlOf({ userId, workspaceId, categoryId }: Unsubscription): string {
    const payload = Buffer.from(userId + workspaceId + categoryId, 'hex');
    return `${this.#appUrl}/auth/unsubscribe/${Buffer.concat([payload, this.#macOf(payload)]).toString('base64url')}`;
  }

  /** @returns undefined for a token that we have not made */
  read(token: string): Unsubscription | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES) return undefined;
    const payload = bytes.subarray(0, PAYLOAD_BYTES);
    if (!timingSafeEqual(bytes.subarray(PAYLOAD_BYTES), this.#macOf(payload))) return undefined;
    const idAt = (index: number) => payload.subarray(index * ID_BYTES, (index + 1) * ID_BYTES).toString('hex');
    return { userId: idAt(0), workspaceId: idAt(1), categoryId: idAt(2) };
  }

  #macOf(payload: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest().subarray(0, MAC_BYTES);
  }
}

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * A link stops either e-mails of a category of a Workspace to a person, or those with a report. Ids have 24 hex
 * characters.
 */
type Unsubscription =
  | { readonly userId: string; readonly workspaceId: string; readonly categoryId: string }
  | { readonly userId: string; readonly reportId: string };
export type CategoryUnsubscription = Extract<Unsubscription, { readonly categoryId: string }>;
export type ReportUnsubscription = Extract<Unsubscription, { readonly reportId: string }>;

const ID_BYTES = 12;
const MAC_BYTES = 16;
const ID = new RegExp(`.{${2 * ID_BYTES}}`, 'g');

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

  urlOf(what: Unsubscription): string {
    const ids = 'reportId' in what ? [what.userId, what.reportId] : [what.userId, what.workspaceId, what.categoryId];
    const payload = Buffer.from(ids.join(''), 'hex');
    return `${this.#appUrl}/auth/unsubscribe/${Buffer.concat([payload, this.#macOf(payload)]).toString('base64url')}`;
  }

  /** @returns undefined for a token that we have not made */
  read(token: string): Unsubscription | undefined {
    const bytes = Buffer.from(token, 'base64url');
    const payload = bytes.subarray(0, Math.max(0, bytes.length - MAC_BYTES));
    const isOurs = payload.length > 0 && timingSafeEqual(bytes.subarray(payload.length), this.#macOf(payload));
    if (!isOurs) return undefined;
    const [userId = '', second = '', third] = payload.toString('hex').match(ID) ?? [];
    return third === undefined ? { userId, reportId: second } : { userId, workspaceId: second, categoryId: third };
  }

  #macOf(payload: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest().subarray(0, MAC_BYTES);
  }
}

import { createHmac, hash, hkdfSync } from 'node:crypto';

/**
 * A link finishes a profile (docs/reference/people-and-security.md#people), or sets a new password in place of a
 * forgotten one.
 */
export type LinkPurpose = 'activate' | 'reset';

const DAY_MS = 86_400_000;
/** Lifetime of a link, ms. */
export const LINK_LIFE_MS: Readonly<Record<LinkPurpose, number>> = { activate: 7 * DAY_MS, reset: 3_600_000 };
const PATHS: Readonly<Record<LinkPurpose, string>> = {
  activate: '/auth/setupprofile/',
  reset: '/auth/resetpassword/',
};
const TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Makes the tokens of links, and addresses from them. Tokens exist in links only; their hash is stored. */
export class PersonLinks {
  readonly #appUrl: string;
  readonly #key: Buffer;

  /**
   * @param options.appUrl where people open pages, without a slash at the end
   * @param options.secret of the installation, at least 32 characters
   */
  constructor(options: { appUrl: string; secret: string }) {
    this.#appUrl = options.appUrl.replace(/\/+$/, '');
    this.#key = Buffer.from(hkdfSync('sha256', options.secret, '', 'catchment person links', 32));
  }

  /** Returns the page where people sign in. */
  get signInUrl(): string {
    return `${this.#appUrl}/auth/login`;
  }

  /** Returns the token of a link: always the same for an id, in the form of a UUID v4. */
  tokenOf(linkId: string): string {
    const bytes = createHmac('sha256', this.#key).update(linkId).digest().subarray(0, 16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  urlOf(purpose: LinkPurpose, linkId: string): string {
    return `${this.#appUrl}${PATHS[purpose]}${this.tokenOf(linkId)}`;
  }
}

/** Returns the stored hash of a token; undefined for a text that is none. */
export const hashOfToken = (token: string): Buffer | undefined =>
  TOKEN.test(token) ? hash('sha256', token, 'buffer') : undefined;

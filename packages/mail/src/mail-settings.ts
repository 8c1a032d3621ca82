import type { EnvReader } from '@catchment/config';

/** Settings of the SMTP server; secrets in here are never logged. */
export type MailSettings = {
  readonly host: string;
  readonly port: number;
  /**
   * tls: from the first byte; required: STARTTLS or nothing; offered: STARTTLS where the server offers it; off: plain.
   */
  readonly security: 'tls' | 'required' | 'offered' | 'off';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** The address may have a name: `Catchment <catchment@example.org>`. */
  readonly from: string;
};

const FROM = /^(?:[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/;

/**
 * Reads `SMTP_URL` (smtp:// or smtps://), `SMTP_USER` and `SMTP_PASSWORD` (or in the URL), `SMTP_TLS`, `SMTP_FROM`.
 * @returns undefined when no SMTP_URL is set: no mail is sent then
 */
export function readMailSettings(read: EnvReader): MailSettings | undefined {
  if (read.optionalText('SMTP_URL') === undefined) return undefined;
  const text = read.url('SMTP_URL', { protocols: ['smtp', 'smtps'] });
  const from = read.text('SMTP_FROM', { pattern: FROM, rule: 'must be an e-mail address, or a name with one in <>' });
  const tls = read.oneOf('SMTP_TLS', ['auto', 'required', 'off'], { fallback: 'auto' });
  const user = read.optionalText('SMTP_USER');
  const password = read.optionalText('SMTP_PASSWORD');
  if (text === '') return undefined;
  const url = new URL(text);
  const isTls = url.protocol === 'smtps:';
  const login =
    user === undefined && url.username === ''
      ? undefined
      : {
          user: user ?? decodeURIComponent(url.username),
          password: password ?? decodeURIComponent(url.password),
        };
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    security: isTls ? 'tls' : securityOf(tls, login !== undefined),
    login,
    from,
  };
}

/** A password is sent in the clear only where the configuration allows it explicitly. */
function securityOf(tls: 'auto' | 'required' | 'off', hasLogin: boolean): MailSettings['security'] {
  if (tls !== 'auto') return tls;
  return hasLogin ? 'required' : 'offered';
}

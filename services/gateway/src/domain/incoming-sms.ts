import { createHmac, hash, timingSafeEqual } from 'node:crypto';

export type IncomingSms = { readonly from: string; readonly text: string };

/** An SMS for a source has its key, and in a second line its data. */
type SmsForSource = { readonly key: string; readonly payload: string };

/** Phones begin a text with a capital. @returns undefined: the text has not exactly two lines */
export function parseSms(text: string): SmsForSource | undefined {
  const [key = '', payload, ...more] = text.trim().split(/\r\n|\r|\n/);
  if (payload === undefined || more.length > 0 || key.trim() === '' || payload.trim() === '') return undefined;
  return { key: key.trim().toLowerCase(), payload: payload.trim() };
}

/** Signs a request as Twilio does: its address as Twilio knows it, and its fields sorted by name, under the account's token. */
export function twilioSignature(
  url: string,
  fields: readonly (readonly [name: string, value: string])[],
  token: string,
): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', token).update(text, 'utf8').digest('base64');
}

/** Takes the same time wherever they differ. */
export function isSameSecret(expected: string, given: string | undefined): boolean {
  const [left, right] = [expected, given ?? ''].map((text) => hash('sha256', text, 'buffer')) as [Buffer, Buffer];
  return timingSafeEqual(left, right) && given !== undefined;
}

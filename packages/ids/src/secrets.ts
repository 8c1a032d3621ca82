import { hash, randomInt } from 'node:crypto';

const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUBLIC_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const API_KEY = /^[A-Za-z0-9]{40}$/;
const PUBLIC_ID = /^[a-z0-9]{15}$/;

/** `randomInt` draws without modulo bias from the cryptographic source. */
function randomText(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)];
  return text;
}

/** Makes a fresh API key of 40 characters `[A-Za-z0-9]` (docs/reference/authentication.md#api-keys). Show it once, store `sha256OfKey`. */
export const newApiKey = (): string => randomText(KEY_ALPHABET, 40);

export const isApiKey = (text: string): boolean => API_KEY.test(text);

/** Returns the SHA-256 of the key as 64 lower-case hex characters: stored and looked up instead of the key. */
export const sha256OfKey = (key: string): string => hash('sha256', key, 'hex');

/** Makes a fresh publicId of 15 characters `[a-z0-9]` (docs/reference/limits.md). */
export const newPublicId = (): string => randomText(PUBLIC_ALPHABET, 15);

export const isPublicId = (text: string): boolean => PUBLIC_ID.test(text);

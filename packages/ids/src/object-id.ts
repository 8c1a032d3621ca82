import { createHash, randomBytes } from 'node:crypto';

const OBJECT_ID = /^[0-9a-fA-F]{24}$/;
const COUNTER_SIZE = 0x1000000;

/** Five random bytes stay for the life of the process, so that processes started in the same second do not collide. */
const processPart = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

const secondsHex = (atMs: number): string =>
  Math.min(Math.max(Math.floor(atMs / 1000), 0), 0xffffffff)
    .toString(16)
    .padStart(8, '0');

/**
 * Makes a fresh ObjectId: 24 lower-case hex characters, the first 8 are `createdMs` in Unix seconds
 * (docs/reference/requests-and-errors.md#node-references).
 */
export function newObjectId(createdMs: number = Date.now()): string {
  counter = (counter + 1) % COUNTER_SIZE;
  return secondsHex(createdMs) + processPart + counter.toString(16).padStart(6, '0');
}

/** Accepts 24 hex characters in either case (docs/reference/requests-and-errors.md#node-references). */
export const isObjectId = (text: string): boolean => OBJECT_ID.test(text);

/** The stored (lower-case) form, or undefined when `text` is no ObjectId. */
export const normaliseObjectId = (text: string): string | undefined =>
  OBJECT_ID.test(text) ? text.toLowerCase() : undefined;

/** Creation time in UTC milliseconds (whole seconds) of an id made by `newObjectId` or `idFromAt`. */
export const createdMsOf = (objectId: string): number => Number.parseInt(objectId.slice(0, 8), 16) * 1000;

/** Parts are length-prefixed, so `('ab','c')` and `('a','bc')` differ. */
function digestOf(parts: readonly (string | number)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const text = String(part);
    hash.update(`${Buffer.byteLength(text)}:${text}`);
  }
  return hash.digest('hex');
}

/**
 * Returns the same ObjectId-shaped text for the same parts, on every replica and for ever: for ids that must not double when a
 * message comes twice. Its first 8 characters are hash, not a time; see `idFromAt`.
 */
export const idFrom = (...parts: readonly (string | number)[]): string => digestOf(parts).slice(0, 24);

/** Makes an id like `idFrom`, but the first 8 characters are `createdMs` in Unix seconds. `createdMs` belongs to the identity. */
export const idFromAt = (createdMs: number, ...parts: readonly (string | number)[]): string =>
  secondsHex(createdMs) + digestOf([createdMs, ...parts]).slice(0, 16);

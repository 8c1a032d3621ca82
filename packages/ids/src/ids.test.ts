import {
  createdMsOf,
  customIdProblem,
  fnv1a32,
  idFrom,
  idFromAt,
  isApiKey,
  isDeviceNumber,
  isImei,
  isObjectId,
  isPublicId,
  newApiKey,
  newDeviceNumber,
  newObjectId,
  newPublicId,
  normaliseObjectId,
  parseNodeRef,
  partitionOf,
  sha256OfKey,
  storedCustomId,
} from './index.ts';

const ID = '53eada0ada91110000000046';

test('an ObjectId begins with its creation second and never repeats', () => {
  const atMs = Date.UTC(2024, 4, 15, 10, 47, 23, 456);
  const ids = new Set(Array.from({ length: 10_000 }, () => newObjectId(atMs)));
  expect(ids.size).toBe(10_000);
  for (const id of ids) expect(id).toMatch(/^66449.{3}[0-9a-f]{16}$/);
  expect(createdMsOf([...ids][0]!)).toBe(Math.floor(atMs / 1000) * 1000);
});

test.each([
  [ID, true],
  [ID.toUpperCase(), true],
  ['', false],
  [ID.slice(1), false],
  [`${ID}0`, false],
  [`${ID.slice(1)}g`, false],
  [`${ID}\n`, false],
])('isObjectId(%j) is %j', (text, expected) => {
  expect(isObjectId(text)).toBe(expected);
  expect(normaliseObjectId(text)).toBe(expected ? ID : undefined);
});

test('an id from text is the same every time and depends on where parts end', () => {
  expect(idFrom('a', 'b')).toBe('facdde7abf1eac5b301273ab');
  expect(isObjectId(idFrom('a', 'b'))).toBe(true);
  expect(idFrom('ab', 'c')).not.toBe(idFrom('a', 'bc'));
  expect(idFrom('a')).not.toBe(idFrom('a', ''));
  expect(idFrom(1)).toBe(idFrom('1'));
  expect(createdMsOf(idFromAt(1_700_000_000_000, 'x'))).toBe(1_700_000_000_000);
  expect(idFromAt(1_700_000_000_000, 'x')).toBe(idFromAt(1_700_000_000_000, 'x'));
  expect(idFromAt(1_700_000_000_000, 'x')).not.toBe(idFromAt(1_700_000_000_001, 'x'));
});

test('keys, public ids and device numbers have their shape and use their whole alphabet', () => {
  const keys = Array.from({ length: 200 }, newApiKey);
  expect(keys.every(isApiKey)).toBe(true);
  expect(new Set(keys.join('')).size).toBe(62);
  const publicIds = Array.from({ length: 200 }, newPublicId);
  expect(publicIds.every(isPublicId)).toBe(true);
  expect(new Set(publicIds.join('')).size).toBe(36);
  expect(Array.from({ length: 100 }, newDeviceNumber).every(isDeviceNumber)).toBe(true);
});

test.each(['', 'a'.repeat(39), 'a'.repeat(41), `${'a'.repeat(39)}-`, `${'a'.repeat(40)}\n`])(
  '%j is no API key',
  (text) => {
    expect(isApiKey(text)).toBe(false);
  },
);

test('a key is stored as its SHA-256', () => {
  expect(sha256OfKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
  ['490154203237518', true],
  ['356938035643809', true],
  ['490154203237519', false],
  ['49015420323751', false],
  ['4901542032375180', false],
  ['49015420323751a', false],
])('IMEI %s passes the Luhn check: %j', (imei, expected) => {
  expect(isImei(imei)).toBe(expected);
});

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('FNV-1a of %j is the published vector', (text, expected) => {
  expect(fnv1a32(text)).toBe(expected);
});

test('the hash runs over UTF-8 bytes', () => {
  expect(fnv1a32('é')).toBe(fnv1a32Bytes([0xc3, 0xa9]));
  function fnv1a32Bytes(bytes: number[]): number {
    return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
  }
});

test.each([
  [ID, 16, 11],
  [ID.toUpperCase(), 16, 11],
  ['000000000000000000000000', 16, 8],
  ['66449bbb0123456789abcdef', 16, 14],
  [ID, 1, 0],
])('the partition of %s of %i never changes', (id, partitions, expected) => {
  expect(partitionOf(id, partitions)).toBe(expected);
});

test('partitions share sequential ids evenly and refuse a wrong count', () => {
  const counts = new Array<number>(16).fill(0);
  for (let i = 0; i < 16_000; i++) counts[partitionOf(newObjectId(1_700_000_000_000 + i * 1000), 16)]!++;
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1200);
  for (const wrong of [0, -1, 1.5, Number.NaN]) expect(() => partitionOf(ID, wrong)).toThrow(RangeError);
});

test.each([
  [ID.toUpperCase(), { kind: 'id', id: ID }],
  ['@sensor_254', { kind: 'customId', customId: 'sensor_254' }],
  ['@workspace-01', { kind: 'customId', customId: 'workspace-01' }],
  ['@Größe', { kind: 'customId', customId: 'Größe' }],
  ['@', undefined],
  ['@a.b', undefined],
  ['@@a', undefined],
  ['sensor', undefined],
  ['', undefined],
])('the node reference %j', (text, expected) => {
  expect(parseNodeRef(text)).toEqual(expected);
});

test.each([...'. /\\?#%&+,;:(){}[]<>"\'@|\t\n\u0000\u007f\u00a0\u2028'])(
  'a customId must not contain %j',
  (character) => {
    expect(customIdProblem(`a${character}b`)).toContain('must not contain');
  },
);

test('a customId has 1-255 characters and loses a leading @', () => {
  expect(customIdProblem('')).toBeDefined();
  expect(customIdProblem('a'.repeat(255))).toBeUndefined();
  expect(customIdProblem('😀'.repeat(255))).toBeUndefined();
  expect(customIdProblem('a'.repeat(256))).toBeDefined();
  expect(storedCustomId('@a')).toBe('a');
  expect(storedCustomId('a')).toBe('a');
});

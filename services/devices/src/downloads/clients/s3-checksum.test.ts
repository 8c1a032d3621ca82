import { whole } from './s3-checksum.ts';

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
const read = async (headers: Record<string, string>, ...texts: string[]) =>
  Buffer.concat(await Array.fromAsync(whole(pieces(...texts), headers))).toString();

/** These checksums of 123456789 are check values of the catalogue of CRC algorithms, and of FIPS 180. */
const RIGHT = [
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
  ['sha1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['sha256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
].map(([name = '', hex = '']) => [`x-amz-checksum-${name}`, Buffer.from(hex, 'hex').toString('base64')] as const);

test.each(RIGHT)('%s of an object that came whole is right', async (header, value) => {
  expect(await read({ [header]: value }, '1234', '', '56789')).toBe('123456789');
});

test.each(RIGHT)('an object with another %s came damaged', async (header, value) => {
  await expect(read({ [header]: value }, '1234', '56788')).rejects.toThrow('the object came damaged');
});

test.each([
  ['no checksum', {}],
  ['one of an algorithm that is not known', { 'x-amz-checksum-xxhash3': 'AAAA' }],
  ['one of the checksums of parts', { 'x-amz-checksum-crc32': 'AAAAAA==-3' }],
  ['one that is said to be of parts', { 'x-amz-checksum-crc32': 'AAAAAA==', 'x-amz-checksum-type': 'COMPOSITE' }],
])('an object with %s is taken as it comes', async (_what, headers) => {
  expect(await read(headers as Record<string, string>, 'abc')).toBe('abc');
});

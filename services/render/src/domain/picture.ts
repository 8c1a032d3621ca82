/** Formats that have a preview (docs/reference/attachments.md#previews), by the bytes that they begin with. */
const SIGNATURES = [
  ['bmp', /^424d/],
  ['gif', /^47494638(37|39)61/],
  ['jpeg', /^ffd8ff/],
  ['png', /^89504e470d0a1a0a/],
  ['tiff', /^(49492a00|4d4d002a|49492b00|4d4d002b)/],
  ['webp', /^52494646.{8}57454250/],
  ['pdf', /^255044462d/],
] as const;

type PictureFormat = (typeof SIGNATURES)[number][0];

/** undefined = no preview, whatever else sharp could read. */
export function pictureFormatOf(start: Uint8Array): PictureFormat | undefined {
  const hex = Buffer.from(start.subarray(0, 16)).toString('hex');
  return SIGNATURES.find(([, signature]) => signature.test(hex))?.[0];
}

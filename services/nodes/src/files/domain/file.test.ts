import { fileNameOf, segmentsOf } from './file.ts';
import { mayHavePreview, mimeTypeOf } from './mime-type.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const TEXT = Buffer.from('time;level\n');

test.each([
  ['a path of Unix', 'a/b/report.pdf', 'report.pdf'],
  ['a path of Windows', 'C:\\data\\report.pdf', 'report.pdf'],
  ['characters that would break out of a header', ' re\r\nport\u202e.pdf ', 'report.pdf'],
  ['a folder', 'a/', ''],
  ['half of a character', 'a\ud83d.txt', 'a\ufffd.txt'],
])('the name of a file is the last part of what was given, without what does harm: %s', (_what, given, name) => {
  expect(fileNameOf(given)).toBe(name);
});

test('a name is cut between characters', () => {
  expect(fileNameOf('💧'.repeat(300))).toBe('💧'.repeat(255));
});

test.each([
  [0, 0],
  [1, 1],
  [512, 1],
  [513, 2],
])('%i bytes are %i segments of 512', (size, segments) => {
  expect(segmentsOf(size, 512)).toBe(segments);
});

test.each([
  ['the content before the name', PNG, 'photo.txt', 'image/png'],
  ['the name where the content says nothing', TEXT, 'level.csv', 'text/csv'],
  ['neither', TEXT, 'level', 'application/octet-stream'],
])('the media type of a file comes of %s', async (_what, start, fileName, type) => {
  expect(await mimeTypeOf(start, fileName)).toBe(type);
});

test('a picture may have a preview by its content, whatever its name', async () => {
  expect([await mayHavePreview(PNG), await mayHavePreview(TEXT)]).toEqual([true, false]);
});

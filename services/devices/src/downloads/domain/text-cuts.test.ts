import { ByteTally } from './byte-tally.ts';
import { headOf } from './plan.ts';
import { firstRows, hasPlainLines, lastRows } from './text-cuts.ts';

const first = (text: string) => firstRows(Buffer.from(text), '"')?.toString();
const last = (text: string) => Buffer.from(lastRows(Buffer.from(text), '"')).toString();

test('a cut never lies within a row that has line breaks between qualifiers', () => {
  expect(first('a,b\n1,"x\ny"\n2,z')).toBe('a,b\n1,"x\ny"\n');
  expect(first('a,b\n1,"x\ny')).toBe('a,b\n');
  expect(first('a,b')).toBeUndefined();
  expect(last('y"\n1,"x\ny"\n2,z\n')).toBe('1,"x\ny"\n2,z\n');
  expect(last('1,2\n3,4\n')).toBe('3,4\n');
  expect(last('1,2')).toBe('');
});

test('packed files, and those whose characters have several bytes each, have no lines to take', () => {
  expect(
    [[0x1f, 0x8b, 8], [0x50, 0x4b, 3], Buffer.from('a\n', 'utf16le')].map((start) => hasPlainLines(Buffer.from(start))),
  ).toEqual([false, false, false]);
  expect(hasPlainLines(Buffer.from('ä,b\n'))).toBe(true);
});

test('of bytes that pass: size, where the last whole line ends, lines, and a hash of the beginning', () => {
  const text = Buffer.from(`a,b\n${'1,2\n'.repeat(400)}3,`);
  const whole = new ByteTally();
  for (let at = 0; at < text.length; at += 7) whole.push(text.subarray(at, at + 7));
  expect([whole.sizeBytes, whole.readTo, whole.lines, whole.head]).toEqual([1606, 1604, 401, headOf(text)]);
  const start = text.subarray(0, 8);
  const rest = new ByteTally({ readTo: 8, lines: 2, start });
  rest.push(text.subarray(8));
  expect([rest.sizeBytes, rest.readTo, rest.lines, rest.head]).toEqual([1606, 1604, 401, headOf(text)]);
});

import { withoutWaste } from './generate.ts';

test('bytes are seen, not copied', () => {
  const text = [
    '/* eslint-disable */',
    'import { BinaryReader } from "x";',
    'import { y } from "y";',
    'message.body = Buffer.from(reader.bytes());',
    'requestSerialize: (value: A): Buffer => Buffer.from(A.encode(value).finish()),',
    'message.body = isSet(object.body) ? Buffer.from(bytesFromBase64(object.body)) : Buffer.alloc(0);',
  ].join('\n');
  expect(withoutWaste(text, '../..').split('\n')).toEqual([
    '/* eslint-disable */',
    'import { NO_BYTES, bufferOf } from "../../bytes.ts";',
    'import { BinaryReader } from "x";',
    'import { y } from "y";',
    'message.body = bufferOf(reader.bytes());',
    'requestSerialize: (value: A): Buffer => bufferOf(A.encode(value).finish()),',
    'message.body = isSet(object.body) ? Buffer.from(bytesFromBase64(object.body)) : NO_BYTES;',
  ]);
});

test('a whole number is read without a text in between', () => {
  const text = 'import { x } from "x";\nconst num = globalThis.Number(int64.toString());\n';
  expect(withoutWaste(text, '..')).toBe('import { x } from "x";\nconst num = globalThis.Number(int64);\n');
});

test('code without bytes stays as it is', () => {
  const text = 'import { x } from "x";\nconst a = Buffer.from(other.bytes());\n';
  expect(withoutWaste(text, '..')).toBe(text);
});

import { checkUploadHeaders } from './upload-headers.ts';

const MB = 1024 * 1024;
const form = (bytes: number) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(bytes) },
});

test.each([
  ['a file', false, 100 * MB, true],
  ['a file', false, 102 * MB, false],
  ['the file of an import', true, 250 * MB, true],
  ['the file of an import', true, 252 * MB, false],
])('%s: %s, %i bytes: %s (docs/reference/limits.md)', (_what, isImport, bytes, isTaken) => {
  const check = expect(() => checkUploadHeaders(form(bytes), isImport));
  if (isTaken) check.not.toThrow();
  else check.toThrow('too large');
});

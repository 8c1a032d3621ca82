import { contentDisposition } from './content-disposition.ts';

test.each([
  ['image/png', 'a.png', 'inline; filename="a.png"'],
  ['image/svg+xml', 'a.svg', 'inline; filename="a.svg"'],
  ['text/csv', 'a.csv', 'attachment; filename="a.csv"'],
  ['application/octet-stream', '', 'attachment'],
  ['text/plain', 'say "hi"\\.txt', 'inline; filename="say \\"hi\\"\\\\.txt"'],
  ['text/plain', 'Größe (1).txt', `inline; filename="Gr__e (1).txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.txt`],
  ['text/plain', '日本.txt', `inline; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`],
])('%s named %s', (mimeType, fileName, header) => {
  expect(contentDisposition(mimeType, fileName)).toBe(header);
});

import { bytesText } from './bytes.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [234_567_890, '235 MB'],
  [5_000_000_000_000_000, '5000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes).replace('\u00a0', ' ')).toBe(text);
});

import { sizeText } from './size-text.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [999_960, '1.0 MB'],
  [99_960, '100 kB'],
  [234_567_890, '235 MB'],
  [5_000_000_000_000_000, '5000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes).replace('\u00a0', ' ')).toBe(text);
});

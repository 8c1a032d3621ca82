import { WritePositions } from './write-position.ts';

const positions = new WritePositions('a-secret-of-more-than-32-characters-0123');
const OWNER = '6'.repeat(24);
const part = (sequence: number, ...nodeIds: string[]) => ({ sourceId: 'a'.repeat(24), sequence, nodeIds });

test.each([
  ['nothing', []],
  ['one part', [part(7, 'b'.repeat(24))]],
  ['several, with large sequences', [part(2 ** 52, 'b'.repeat(24), 'c'.repeat(24)), part(0)]],
])('a position of %s says what it was made of', (_what, parts) => {
  expect(positions.read(OWNER, positions.of(OWNER, parts))).toEqual(parts);
});

test('a position of one account is none to another, nor is one that was changed or cut', () => {
  const text = positions.of(OWNER, [part(7, 'b'.repeat(24))]);
  const changed = `${text.slice(0, -3)}${text.at(-3) === 'A' ? 'B' : 'A'}${text.slice(-2)}`;
  const others = new WritePositions('another-secret-of-more-than-32-characters');
  expect(positions.read('7'.repeat(24), text)).toBeUndefined();
  for (const changedText of [changed, text.slice(0, -2), text.slice(2), '', 'x', '!!', `${text}AAAA`])
    expect(positions.read(OWNER, changedText)).toBeUndefined();
  expect(others.read(OWNER, text)).toBeUndefined();
});

test('a position can stand in a path', () => {
  expect(positions.of(OWNER, [part(2 ** 40, 'f'.repeat(24))])).toMatch(/^[\w-]{20,100}$/);
});

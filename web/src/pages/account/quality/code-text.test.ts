import { entryOf, NEW_ENTRY, typedOf } from './code-text.ts';

test('numbers of sources are parted by commas, spaces and semicolons', () => {
  expect(entryOf({ ...NEW_ENTRY, name: ' Ice ', code: '301', sources: '12, 13;14  15' })).toEqual({
    name: 'Ice',
    code: 301,
    sourceQuality: [12, 13, 14, 15],
    type: 'GOOD',
    color: '#808080',
  });
});

test('what is no number goes as it was typed: the server says what is wrong with it', () => {
  expect(entryOf({ ...NEW_ENTRY, code: '1.5', sources: 'x' })).toMatchObject({ code: '1.5', sourceQuality: ['x'] });
  expect(entryOf(NEW_ENTRY).code).toBeNull();
});

test('an entry is typed as it is, and comes back the same', () => {
  const entry = { name: 'Ice', code: 301, sourceQuality: [12, 13], type: 'BAD', color: '#c43f42' } as const;
  expect(entryOf(typedOf({ ...entry, isSystem: false }))).toEqual(entry);
});

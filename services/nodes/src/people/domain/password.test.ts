import { readPassword } from './password.ts';

const EMAIL = 'jo.lee@example.org';

test.each([
  ['the shortest', 'abcdefghij'],
  ['the longest', `abcd${'é'.repeat(196)}`],
  ['spaces and any script', 'コーヒー と 牛乳 をください'],
  ['characters beyond the BMP count once', '😀😁😂😃'.repeat(50)],
])('%s is taken', (_what, password) => {
  expect(readPassword(password, EMAIL)).toBe(password.normalize('NFKC'));
});

test.each([
  ['too short', 'abcdefghi', '10 to 200'],
  ['empty', '', '10 to 200'],
  ['too long', 'abcd'.repeat(51), '10 to 200'],
  ['far too long', 'abcd'.repeat(1_000_000), '10 to 200'],
  ['the e-mail', 'Jo.Lee@Example.org', 'e-mail'],
  ['one character over and over', 'aaaaaaaaaaaa', 'different'],
  ['what cannot be stored', 'abcdefghij\u0000', '10 to 200'],
])('%s is refused by name', (_what, password, rule) => {
  expect(() => readPassword(password, EMAIL, 'newPassword')).toThrow(new RegExp(`^newPassword: .*${rule}`));
});

test('the same text typed in two ways is the same password', () => {
  expect(readPassword('caf\u00e9 au lait', EMAIL)).toBe(readPassword('cafe\u0301 au lait', EMAIL));
});

import { UnsubscribeLinks } from './unsubscribe-links.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const links = new UnsubscribeLinks({ appUrl: 'https://app.test/', secret: SECRET });
const WHAT = { userId: '1'.repeat(24), workspaceId: 'a'.repeat(24), categoryId: '0123456789abcdef01234567' };
const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

test('a link says what it stops', () => {
  const url = links.urlOf(WHAT);
  expect(url).toMatch(/^https:\/\/app\.test\/auth\/unsubscribe\/[\w-]{70}$/);
  expect(links.read(tokenOf(url))).toEqual(WHAT);
});

test('a link of a report says which', () => {
  const what = { userId: '1'.repeat(24), reportId: 'b'.repeat(24) };
  const url = links.urlOf(what);
  expect(url).toMatch(/^https:\/\/app\.test\/auth\/unsubscribe\/[\w-]{54}$/);
  expect(links.read(tokenOf(url))).toEqual(what);
});

test.each([
  [
    'a token of a report with a byte more',
    `${tokenOf(links.urlOf({ userId: '1'.repeat(24), reportId: 'b'.repeat(24) }))}AA`,
  ],
  ['another installation', tokenOf(new UnsubscribeLinks({ appUrl: '', secret: `${SECRET}!` }).urlOf(WHAT))],
  ['a changed token', tokenOf(links.urlOf(WHAT)).replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
  ['a token that is cut', tokenOf(links.urlOf(WHAT)).slice(0, -2)],
  ['no token', ''],
])('%s is not ours', (_what, token) => expect(links.read(token)).toBeUndefined());

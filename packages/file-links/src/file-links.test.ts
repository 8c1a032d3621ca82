import { FileLinks, type FileVariant } from './index.ts';

const links = new FileLinks('a-test-secret-of-more-than-32-characters');
const ID = '53eada0ada91110000000046';
const NOW = 1_700_000_000_000;

const parts = (path: string) => {
  const url = new URL(path, 'http://x');
  const [, , nodeId = '', preview] = url.pathname.split('/');
  return {
    nodeId,
    variant: (preview ? 'preview' : 'file') as FileVariant,
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
  };
};
const refused = (reason: string) => expect.objectContaining({ kind: 'permission_denied', reason });

test('the form of a link', () => {
  expect(links.path(ID, 'file', undefined)).toMatch(new RegExp(`^/files/${ID}\\?expires=0&signature=[0-9a-f]{64}$`));
  expect(links.path(ID, 'preview', NOW)).toContain(`/files/${ID}/preview?expires=1700000000&signature=`);
});

test.each<FileVariant>(['file', 'preview'])('a link to the %s without an end holds for ever', (variant) => {
  expect(() => links.check(parts(links.path(ID, variant, undefined)), Number.MAX_SAFE_INTEGER)).not.toThrow();
});

test('a link with an end holds until then', () => {
  const link = parts(links.path(ID, 'file', NOW + 60_000));
  expect(() => links.check(link, NOW + 59_999)).not.toThrow();
  expect(() => links.check(link, NOW + 60_000)).toThrow(refused('LINK_EXPIRED'));
});

test.each<[string, Partial<ReturnType<typeof parts>>]>([
  ['of another node', { nodeId: '53eada0ada91110000000047' }],
  ['of another variant', { variant: 'preview' }],
  ['with a later end', { expires: '1900000000' }],
  ['without an end', { expires: '0' }],
  ['with an end in other digits', { expires: '01700000060' }],
  ['without a signature', { signature: '' }],
  ['with half a signature', { signature: 'ab'.repeat(16) }],
  ['with another signature', { signature: 'ab'.repeat(32) }],
  ['with a signature that is no hex', { signature: 'zz'.repeat(32) }],
])('a link %s is refused', (_what, change) => {
  const link = { ...parts(links.path(ID, 'file', NOW + 60_000)), ...change };
  expect(() => links.check(link, NOW)).toThrow(refused('LINK_NOT_VALID'));
});

test('links of another installation are refused', () => {
  const other = new FileLinks('another-test-secret-of-more-than-32-chars');
  expect(() => links.check(parts(other.path(ID, 'file', undefined)), NOW)).toThrow(refused('LINK_NOT_VALID'));
});

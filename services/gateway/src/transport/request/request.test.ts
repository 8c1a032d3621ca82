import { acceptsGzip, matchesEtag, weakEtag } from '../../domain/negotiation.ts';
import { parseQuery, rawQueryOf } from './query.ts';

test.each([
  ['', {}],
  ['a=1&b=2&a=3', { a: '3', b: '2' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['a=b=c', { a: 'b=c' }],
  ['&&a=1&', { a: '1' }],
  ['a=x+y%2Bz', { a: 'x y+z' }],
  ['a=%2541', { a: '%41' }],
  ['n%61me=%C3%A6', { name: 'æ' }],
  ['a=\u00c3\u00a6', { a: 'æ' }],
  ['f=$eq(:,)', { f: '$eq(:,)' }],
  ['__proto__=1', { ['__proto__']: '1' }],
])('query %p', (raw, expected) => {
  expect({ ...parseQuery(raw) }).toEqual(expected);
});

test.each(['a=%', 'a=%zz', 'a=%ff', '%E0=1', 'a=\u00ff'])('query %p is refused', (raw) => {
  expect(() => parseQuery(raw)).toThrow(/query string: must be UTF-8/);
});

test.each([
  ['a value', 'a=1&name=x%00y', 'name: must be well-formed Unicode'],
  ['a name', 'a%00b=1', 'query string: must have names of well-formed Unicode'],
  ['the character itself', 'name=x\0y', 'name: must be'],
])('U+0000 in %s of a query is refused where it is', (_what, raw, message) => {
  expect(() => parseQuery(raw)).toThrow(expect.objectContaining({ kind: 'invalid_argument', reason: 'INVALID_TEXT' }));
  expect(() => parseQuery(raw)).toThrow(message);
});

test.each([
  ['/x', ''],
  ['/x?', ''],
  ['/x?a?b', 'a?b'],
])('the query string of %s', (target, raw) => {
  expect(rawQueryOf(target)).toBe(raw);
});

test.each([
  [undefined, false],
  ['gzip', true],
  ['br, GZIP;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['x-gzip', false],
])('Accept-Encoding %p accepts gzip: %p', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

test('validators compare weakly, and parts cannot run together', () => {
  const etag = weakEtag('ab', 'c');
  expect(weakEtag('a', 'bc')).not.toBe(etag);
  expect(matchesEtag(`"x", ${etag.slice(2)}`, etag)).toBe(true);
  expect(matchesEtag('*', etag)).toBe(true);
  expect(matchesEtag('"x"', etag)).toBe(false);
  expect(matchesEtag(undefined, etag)).toBe(false);
});

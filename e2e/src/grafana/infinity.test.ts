// The replay says the same as the documentation of Infinity about its macros, and as Go about addresses.
import { type DataSource, type InfinityQuery, requestOf, withMacros, withVariables } from './infinity.ts';

const RANGE = { from: '2020-07-13T20:19:09.254Z', to: '2020-07-14T00:00:00.500Z' };
const chosen = (...values: string[]) => values.map((value) => ({ text: `name of ${value}`, value }));

test.each([
  ['$__combineValues(p,s,i,v)', 'pvs'],
  ['$__combineValues(p,s,__space,v1,v2)', 'pv1s pv2s'],
  ['$__combineValues(__open,__close, OR ,foo,bar)', '(foo) OR (bar)'],
  ['$__combineValues(,, OR ,foo,bar)', 'foo OR bar'],
  ['$__combineValues(p,s,i,*)', ''],
  ['$__combineValues(foo:,,__comma,server2,server3)', 'foo:server2,foo:server3'],
])('the macro %s is «%s»', (text, made) => {
  expect(withMacros(text, RANGE)).toBe(made);
});

test('the range is that of the dashboard, without zeros at the end of its fractions', () => {
  const [from, to] = ['From', 'To'].map((end) => `\${__time${end}:date:iso}`);
  expect(withMacros(`${from} ${to}`, RANGE)).toBe('2020-07-13T20:19:09.254Z 2020-07-14T00:00:00.5Z');
  expect(withMacros(`${to}`, { ...RANGE, to: '2020-07-14T00:00:00.000Z' })).toBe('2020-07-14T00:00:00Z');
});

test.each([
  ['one', `\${x}`, 'a'],
  ['several', `\${xs}`, '{a,b}'],
  ['several, parted by commas', `\${xs:csv}`, 'a,b'],
  ['its text', `\${x:text}`, 'name of a'],
  ['an operator of filters', 'name($eq:$x)', 'name($eq:a)'],
  ['a macro of the backend', `\${__timeFrom:date:iso}`, `\${__timeFrom:date:iso}`],
])('a variable: %s', (_what, text, made) => {
  expect(withVariables(text, { x: chosen('a'), xs: chosen('a', 'b') })).toBe(made);
});

test('what the replay does not know is an error, not another answer', () => {
  expect(() => withMacros('$__customInterval(1d,1)', RANGE)).toThrow('not known here');
  expect(() => withVariables(`\${x:regex}`, { x: chosen('a') })).toThrow('not known here');
  expect(() => withMacros('$__combineValues(a,b,c)', RANGE)).toThrow('insufficient arguments');
});

test('an address is written as Go writes it: arguments by name, signs as hexadecimal numbers', () => {
  const query = {
    type: 'csv',
    url: '/api/v1/nodes',
    columns: [],
    url_options: {
      method: 'GET',
      params: [
        { key: 'sort', value: 'name' },
        { key: 'filter', value: "path($like:/A b/*)|name($eq:it's ~!)" },
      ],
    },
  } as unknown as InfinityQuery;
  const source: DataSource = {
    url: 'http://here',
    jsonData: {
      auth_method: 'apiKey',
      apiKeyType: 'header',
      apiKeyKey: 'X-Api-Key',
      allowedHosts: ['http://here'],
      customHealthCheckUrl: '',
    },
    secureJsonData: { apiKeyValue: 'key' },
  };
  const { url, headers } = requestOf(query, source, {}, RANGE);
  expect(url).toBe(
    'http://here/api/v1/nodes?filter=path%28%24like%3A%2FA+b%2F%2A%29%7Cname%28%24eq%3Ait%27s+~%21%29&sort=name',
  );
  expect(headers).toMatchObject({ 'X-Api-Key': 'key', Accept: 'text/csv; charset=utf-8', 'Accept-Encoding': 'gzip' });
  const elsewhere = { ...source, jsonData: { ...source.jsonData, allowedHosts: ['http://there'] } };
  expect(() => requestOf(query, elsewhere, {}, RANGE)).toThrow('host is not allowed');
});

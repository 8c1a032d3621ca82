import { ConfigError, envReader } from './index.ts';

test('typed values are read, and missing ones take their fallback', () => {
  const read = envReader({ PORT: '8080', NAME: 'a', FLAG: 'TRUE', LIST: 'a, b,,c', KIND: 'x', EMPTY: '' });
  expect(read.int('PORT', { min: 1, max: 65_535 })).toBe(8080);
  expect(read.text('NAME')).toBe('a');
  expect(read.bool('FLAG')).toBe(true);
  expect(read.list('LIST')).toEqual(['a', 'b', 'c']);
  expect(read.oneOf('KIND', ['x', 'y'])).toBe('x');
  expect(read.int('EMPTY', { fallback: 5 })).toBe(5);
  expect(read.optionalText('EMPTY')).toBeUndefined();
  expect([read.port('EMPTY', 21), read.port('MISSING', 21), read.port('PORT', 21)]).toEqual([undefined, 21, 8080]);
  expect(() => read.done()).not.toThrow();
});

test.each([
  ['a number that is none', (r: ReturnType<typeof envReader>) => r.int('BAD'), 'BAD must be a whole number'],
  [
    'a number out of range',
    (r: ReturnType<typeof envReader>) => r.int('NUMBER', { max: 3 }),
    'from -9007199254740991 to 3',
  ],
  ['a boolean that is none', (r: ReturnType<typeof envReader>) => r.bool('BAD'), 'BAD must be true or false'],
  ['an unknown choice', (r: ReturnType<typeof envReader>) => r.oneOf('BAD', ['a', 'b']), 'BAD must be one of a, b'],
  [
    'a short secret',
    (r: ReturnType<typeof envReader>) => r.text('BAD', { minLength: 32 }),
    'BAD must have at least 32',
  ],
  [
    'a URL of another protocol',
    (r: ReturnType<typeof envReader>) => r.url('URL', { protocols: ['nats'] }),
    'begins with nats://',
  ],
  [
    'a text that cannot become what it should',
    (r: ReturnType<typeof envReader>) =>
      r.parsed('BAD', (text) => (text === '1' ? 1 : undefined), { placeholder: '1', rule: 'must be one' }),
    'BAD must be one',
  ],
  ['a missing variable', (r: ReturnType<typeof envReader>) => r.text('NONE'), 'NONE must be set'],
])('%s stops the start and names variable and rule, never the value', (_what, use, text) => {
  const read = envReader({ BAD: 's3cret-value', NUMBER: '4', URL: 'http://s3cret-value' });
  use(read);
  expect(() => read.done()).toThrow(text);
  expect(() => read.done()).not.toThrow('s3cret-value');
});

test('all problems are reported together', () => {
  const read = envReader({});
  read.text('A');
  read.int('B');
  try {
    read.done();
  } catch (error) {
    expect((error as ConfigError).problems).toEqual(['A must be set', 'B must be set']);
    expect(error).toBeInstanceOf(ConfigError);
  }
  expect.assertions(2);
});

test('a rule of several variables is reported with the other problems, unless one of them is bad by itself', () => {
  const read = envReader({ LEAST: '5', BAD: 'x' });
  const [least, bad] = [read.int('LEAST'), read.int('BAD')];
  read.check(['LEAST', 'MOST'], least < 3, 'LEAST must be below MOST');
  read.check(['BAD', 'LEAST'], bad > least, 'BAD must be above LEAST');
  expect(() => read.done()).toThrow(/BAD must be a whole number.*\n.*LEAST must be below MOST$/);
});

test('a rule that several readers share is reported once', () => {
  const read = envReader({});
  for (const _ of [1, 2]) {
    read.text('A');
    read.check(['B', 'C'], false, 'B needs C');
  }
  expect(() => read.done()).toThrow(expect.objectContaining({ problems: ['A must be set', 'B needs C'] }));
});

test('a text becomes what it stands for; the fallback too', () => {
  const read = envReader({ TWO: '2' });
  const options = { fallback: '3', placeholder: '0', rule: 'must be a number' };
  expect([read.parsed('TWO', Number, options), read.parsed('NONE', Number, options)]).toEqual([2, 3]);
  expect(() => read.done()).not.toThrow();
});

import { ClientView, fromFtpTime, ftpTime, listLine } from './client-view.ts';

const TIME = Date.parse('2026-03-05T07:08:09Z');
const file = (sizeBytes: number) => ({ sizeBytes, timeMs: TIME });

test.each([
  ['/', true],
  ['/incoming', true],
  ['/incoming/2026', true],
  ['/made.d', true],
  ['/with.files', true],
  ['/with.files/in', true],
  ['/a.csv', false],
  ['/with.files/in/b.csv', false],
  ['/nothing.csv', false],
  ['/LATEST', false],
])(
  'a client that has uploaded a.csv, LATEST and with.files/in/b.csv, and made made.d, sees a folder %s: %s',
  (path, is) => {
    const view = new ClientView();
    for (const sent of ['/a.csv', '/LATEST', '/with.files/in/b.csv']) view.put(sent, file(1));
    view.makeFolder('/made.d');
    expect(view.isFolder(path)).toBe(is);
  },
);

test('a client sees its files with their sizes, under their last names, and the folders on the way to them', () => {
  const view = new ClientView();
  view.put('/x.tmp', file(3));
  view.put('/logs/b.csv', file(4));
  view.move('/x.tmp', '/x.csv');
  view.makeFolder('/empty');
  expect(view.entriesIn('/')).toEqual([{ name: 'logs' }, { name: 'x.csv', file: file(3) }, { name: 'empty' }]);
  expect(view.list('/logs', 'b.csv')).toEqual([{ name: 'b.csv', file: file(4) }]);
  expect([view.list('/', 'x.tmp'), view.list('/', 'empty')]).toEqual([undefined, []]);
  view.remove('/x.csv');
  expect(view.file('/x.csv')).toBeUndefined();
});

test('of many files the newest 200 are known, and 100 folders', () => {
  const view = new ClientView();
  for (let n = 0; n < 500; n += 1) {
    view.put(`/${n}.csv`, file(n));
    view.makeFolder(`/${n}.d`);
  }
  const entries = view.entriesIn('/');
  expect([entries.length, view.file('/299.csv'), view.file('/300.csv')]).toEqual([300, undefined, file(300)]);
});

test('lines of lists have size, time and name', () => {
  const now = TIME + 60_000;
  expect([listLine({ name: 'a b.csv', file: file(12) }, now), listLine({ name: 'logs' }, now)]).toEqual([
    '-rw-r--r-- 1 source source           12 Mar  5 07:08 a b.csv',
    'drwxr-xr-x 1 source source            0 Mar  5 07:09 logs',
  ]);
  expect(listLine({ name: 'old', file: { sizeBytes: 1, timeMs: 0 } }, now)).toContain('Jan  1  1970 old');
});

test.each<[string, number | undefined]>([
  ['20260305070809', TIME],
  ['20260305070809.5', TIME],
  ['20261305070809', undefined],
  ['yesterday', undefined],
])('%s is the time %s', (text, time) => {
  expect(fromFtpTime(text)).toBe(time);
  if (time !== undefined) expect(ftpTime(time)).toBe(text.slice(0, 14));
});

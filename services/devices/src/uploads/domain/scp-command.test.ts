import { parseScpCommand, parseScpLine } from './scp-command.ts';

const to = (path: string, isFolder = false) => ({ direction: 'TO', path, isFolder });

test.each<[string, object | undefined]>([
  ['scp -t incoming', to('incoming')],
  ['scp -t .', to('.', true)],
  ['scp -t', to('.', true)],
  ['scp -t logs/', to('logs/', true)],
  ['scp -v -r -p -d -t -- a.csv', to('a.csv', true)],
  ['scp -pt /data/a.csv', to('/data/a.csv')],
  ["/usr/bin/scp -t 'my data/it'\\''s.csv'", to("my data/it's.csv")],
  ['scp -t "a \\"b\\".csv"', to('a "b".csv')],
  ['scp -t -- -odd.csv', to('-odd.csv')],
  ['scp -f a.csv', { direction: 'FROM', path: 'a.csv', isFolder: false }],
  ['scp a b', undefined],
  ['id; scp -t x', undefined],
  ['', undefined],
])('the command %s', (command, is) => {
  expect(parseScpCommand(command)).toEqual(is);
});

test.each<[string, object | undefined]>([
  ['C0644 12 a b.csv', { step: 'FILE', sizeBytes: 12, name: 'a b.csv' }],
  ['C0644 0 a', { step: 'FILE', sizeBytes: 0, name: 'a' }],
  ['C0644 -1 a', undefined],
  ['C0644 99999999999999999999 a', undefined],
  ['D0755 0 logs', { step: 'FOLDER', name: 'logs' }],
  ['E', { step: 'LEAVE' }],
  ['T1700000000 0 1700000001 0', { step: 'TIME', timeMs: 1_700_000_000_000 }],
  ['\u0001scp: no such file', { step: 'TROUBLE', isFatal: false }],
  ['\u0002gone', { step: 'TROUBLE', isFatal: true }],
  ['', undefined],
  ['X', undefined],
])('the line %j', (line, step) => {
  expect(parseScpLine(line)).toEqual(step);
});

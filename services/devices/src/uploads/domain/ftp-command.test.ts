import { activeAddress, extendedAddress, parseFtpLine, passiveAddress, quoted } from './ftp-command.ts';

test.each<[Buffer, string, string]>([
  [Buffer.from('STOR a b.csv'), 'STOR', 'a b.csv'],
  [Buffer.from('stor  x'), 'STOR', ' x'],
  [Buffer.from('NOOP'), 'NOOP', ''],
  [Buffer.from([0xff, 0xf4, 0xff, 0xf2, ...Buffer.from('ABOR')]), 'ABOR', ''],
  [Buffer.from('STOR Höhe.csv'), 'STOR', 'Höhe.csv'],
  [Buffer.from('STOR H\u00f6he.csv', 'latin1'), 'STOR', 'Höhe.csv'],
  [Buffer.from([0, 1, 2, 255]), '', ''],
])('%j is %s of %j', (line, verb, argument) => {
  expect(parseFtpLine(line)).toEqual({ verb, argument });
});

test('answers quote paths and split ports', () => {
  expect(quoted('/a"b')).toBe('"/a""b"');
  expect(passiveAddress('192.0.2.1', 40_001)).toBe('192,0,2,1,156,65');
});

test.each<[string, object | undefined]>([
  ['192,0,2,1,4,1', { address: '192.0.2.1', port: 1025 }],
  ['192,0,2,1,4', undefined],
  ['192,0,2,256,4,1', undefined],
  ['a,b,c,d,e,f', undefined],
  ['', undefined],
])('PORT %s', (text, address) => {
  expect(activeAddress(text)).toEqual(address);
});

test.each<[string, object | undefined]>([
  ['|1|192.0.2.1|1025|', { address: '192.0.2.1', port: 1025 }],
  ['|2|2001:db8::1|65535|', { address: '2001:db8::1', port: 65_535 }],
  ['!1!192.0.2.1!1025!', { address: '192.0.2.1', port: 1025 }],
  ['|1|2001:db8::1|1025|', undefined],
  ['|3|192.0.2.1|1025|', undefined],
  ['|1|192.0.2.1|65536|', undefined],
  ['', undefined],
])('EPRT %s', (text, address) => {
  expect(extendedAddress(text)).toEqual(address);
});

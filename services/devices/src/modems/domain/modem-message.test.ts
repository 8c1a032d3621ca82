import { JsonText } from '../../sources/domain/document-part.ts';
import { parseIdent, parseModemMessage, readAgain, seqInHead } from './modem-message.ts';

test.each([
  [
    'a key alone',
    '{"type":"ident","deviceKey":"490154203237518"}',
    { deviceKey: '490154203237518', session: '', secret: undefined },
  ],
  [
    'all fields',
    '{"type":"ident","deviceKey":"123456789012","secret":"s","session":"a-1","software":{"appVersion":"1","branch":"RELEASE","x":1}}',
    { secret: 's', session: 'a-1', software: { appVersion: '1', branch: 'RELEASE' } },
  ],
])('ident: %s', (_what, text, expected) => expect(parseIdent(text)).toMatchObject(expected));

test.each([
  ['another type', '{"type":"data","deviceKey":"123456789012"}'],
  ['a key that is no text', '{"type":"ident","deviceKey":123456789012}'],
  ['13 digits', '{"type":"ident","deviceKey":"1234567890123"}'],
  ['a secret that is no text', '{"type":"ident","deviceKey":"123456789012","secret":1}'],
  ['a session with blanks', '{"type":"ident","deviceKey":"123456789012","session":"a b"}'],
  ['no JSON', 'ident'],
  ['null', 'null'],
])('no ident: %s', (_what, text) => expect(parseIdent(text)).toBeUndefined());

test.each([
  ['{"type":"data","seq":1,"jts":{}}', { type: 'data', seq: 1, source: undefined }],
  ['{"type":"data","seq":1,"jts":{},"source":"@x"}', { type: 'data', source: '@x' }],
  ['{"type":"data","seq":0,"jts":{}}', { type: 'bad', seq: undefined }],
  ['{"type":"data","seq":1.5,"jts":{}}', { type: 'bad', seq: undefined }],
  ['{"type":"data","seq":9007199254740992,"jts":{}}', { type: 'bad', seq: undefined }],
  ['{"type":"data","seq":3,"jts":[]}', { type: 'bad', seq: 3 }],
  ['{"type":"data","seq":3,"jts":{},"source":""}', { type: 'bad', seq: 3 }],
  ['{"type":"data","seq":3,"jts":', { type: 'bad', seq: 3 }],
  ['{"type":"status"}', { type: 'status', status: { values: {} } }],
  [
    '{"type":"status","signal":-70,"time":"2026-01-01T00:00:00Z"}',
    { type: 'status', status: { values: { signal: -70 }, timeMs: 1767225600000 } },
  ],
  ['{"type":"status","signal":"-70"}', { type: 'bad' }],
  ['{"type":"status","time":"yesterday"}', { type: 'bad' }],
  ['{"type":"status","position":{"latitude":91,"longitude":0}}', { type: 'bad' }],
  ['{"type":"log","level":"INFO","message":"m"}', { type: 'log', message: 'm' }],
  ['{"type":"log","level":"LOUD","message":"m"}', { type: 'bad' }],
  ['{"type":"ack","revision":2}', { type: 'ack', revision: 2 }],
  ['{"type":"nack","revision":2}', { type: 'nack', message: '' }],
  ['{"type":"ack"}', { type: 'bad' }],
  ['[]', { type: 'bad' }],
  ['{"type":"__proto__"}', { type: 'bad' }],
])('%s', (text, expected) => expect(parseModemMessage(text)).toMatchObject(expected));

test.each([
  ['{"type":"data","seq":12,"jts', 12],
  ['{ "type" : "data" , "seq" : 12 }', 12],
  ['{"type":"data","seq":12', undefined],
  ['{"type":"data","jts":{"seq":12,', undefined],
  ['{"type":"status","seq":12,', undefined],
  ['{"seq":12,"type":"data"', undefined],
])('sequence in the head %s: %s', (head, seq) => expect(seqInHead(head)).toBe(seq));

const DATA = '{"type":"data","seq":17';
const READ = { type: 'data', seq: 17 };
test.each<[line: string, source: string | undefined, text: string]>([
  [`${DATA},"jts":{"docType":"jts","data":[]}}`, undefined, '{"docType":"jts","data":[]}'],
  [`${DATA},"source":"Weir Öse","jts":{"data":[1]}}`, 'Weir Öse', '{"data":[1]}'],
])('the document of %s is left as text', (line, source, text) =>
  expect(parseModemMessage(line)).toEqual({ ...READ, source, jts: new JsonText(text), line }),
);

test.each([
  ['other attributes come first', '{"seq":17,"type":"data","jts":{"data":[]}}', undefined],
  ['the source comes last', `${DATA},"jts":{"data":[]},"source":"Weir"}`, 'Weir'],
  ['the source has an escape', `${DATA},"source":"W\\u0065ir","jts":{"data":[]}}`, 'Weir'],
  ['there are spaces', `${DATA}, "jts": {"data":[]}}`, undefined],
])('the line is read to its end where %s', (_what, line, source) =>
  expect(parseModemMessage(line)).toEqual({ ...READ, source, jts: { data: [] } }),
);

test.each<[what: string, line: string, expected: unknown]>([
  ['is what follows its beginning', `${DATA},"jts":{"data":[]}}`, undefined],
  ['ends before other attributes', `${DATA},"jts":{"data":[]},"cells":{"near":[4]}}`, { ...READ, jts: { data: [] } }],
  ['is no JSON', `${DATA},"jts":{"data":[}]}}`, { type: 'bad', seq: 17, message: 'the line is not a JSON object' }],
])('a refused document that %s is read again only if that says something else', (_what, line, expected) => {
  const message = parseModemMessage(line);
  expect(message.type === 'data' && readAgain(message)).toEqual(expected);
});

import { effectiveZone, UTC_ZONE } from '@catchment/time';
import { lastZone, zoneOfLabel, zoneReader } from './zone-text.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const SUMMER_MS = Date.parse('2026-07-15T12:00:00Z');
const hours = (text: string, source: string, adjust = true) =>
  zoneReader(source === 'UTC' ? UTC_ZONE : effectiveZone(source, adjust, NOW_MS), NOW_MS)(text);
const hoursAt = (...given: Parameters<typeof hours>) => {
  const ms = hours(...given)?.offsetMsAt(SUMMER_MS);
  return ms === undefined ? undefined : ms / 3_600_000;
};

test.each([
  ['Z', 0],
  ['utc', 0],
  ['GMT', 0],
  ['+01:00', 1],
  ['-0700', -7],
  ['+5', 5],
  ['\u221205:30', -5.5],
  ['UTC+1', 1],
  ['GMT-07:00', -7],
  ['[UTC-07:00]', -7],
  ['America/New_York', -4],
  ['europe/berlin', 2],
  ['EDT', -4],
  ['EST', -5],
  ['PDT', -7],
  ['AKST', -9],
  ['HST', -10],
  ['AST', -4],
  ['CST', -6],
  ['CET', 1],
  ['BST', 1],
  ['NFT', -3.5],
  ['ZP-11', -11],
  ['', undefined],
  ['CEST', undefined],
  ['XYZ', undefined],
  ['+15:00', undefined],
  ['-300', undefined],
  ['5', undefined],
  ['America/Nowhere', undefined],
])("without a zone of the source '%s' is %p hours ahead of UTC in summer", (text, expected) => {
  expect(hoursAt(text, 'UTC')).toBe(expected);
});

test.each([
  ['America/New_York', { EST: -5, edt: -4, CDT: undefined, AST: undefined, MST: undefined, Z: 0, '+01:00': 1 }],
  ['America/Phoenix', { MST: -7, MDT: undefined }],
  ['Europe/Berlin', { CET: 1, CEST: 2, BST: undefined, EST: undefined }],
  ['Europe/London', { GMT: 0, BST: 1 }],
  ['Europe/Dublin', { IST: 1 }],
  ['Asia/Kolkata', { IST: 5.5 }],
  ['Asia/Jerusalem', { IST: 2, IDT: 3 }],
  ['Asia/Shanghai', { CST: 8 }],
  ['Australia/Sydney', { AEST: 10, AEDT: 11, EST: undefined }],
  ['Etc/GMT+5', { EST: -5 }],
])('of a source in %s the abbreviations are its own', (source, expected) => {
  for (const adjust of [true, false]) {
    const read = Object.fromEntries(Object.keys(expected).map((text) => [text, hoursAt(text, source, adjust)]));
    expect(read).toEqual(expected);
  }
});

test.each([
  ['2023-07-05 00:45 EDT', '2023-07-05 00:45'],
  ['2020-05-21 14:13:41 [UTC-07:00]', '2020-05-21 14:13:41'],
  ['05.07.2023 00:45 GMT +1', '05.07.2023 00:45'],
  ['2023-07-05 00:45', undefined],
  ['2023-07-05', undefined],
  ['7/5/2023 12:45 PM', undefined],
])("'%s' ends with a zone after '%s'", (text, rest) => {
  expect(lastZone(text, zoneReader(UTC_ZONE, NOW_MS))?.rest).toBe(rest);
});

test('a field of a megabyte is no zone, and is neither searched nor remembered', () => {
  const read = zoneReader(UTC_ZONE, NOW_MS);
  const blanks = ' '.repeat(1024 * 1024);
  expect([read(blanks), lastZone(`${blanks}x`, read), lastZone(blanks, read)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(lastZone(`2023-07-05 00:45${blanks}EDT`, read)?.zone.name).toBe('-04:00');
});

test.each([
  ['Date Time, GMT-07:00', 'Etc/GMT+7'],
  ['Date Time, GMT+10:00', 'Etc/GMT-10'],
  ['Time (UTC)', 'Etc/UTC'],
  ['time_utc', 'Etc/UTC'],
  ['Timestamp [UTC+1]', 'Etc/GMT-1'],
  ['Timestamp (EST)', 'Etc/GMT+5'],
  ['Date Time, GMT+05:30', 'Asia/Kolkata'],
  ['Date Time, GMT+00:30', undefined],
  ['TIMESTAMP', undefined],
  ['Date Time', undefined],
  ['Date', undefined],
])("the label '%s' names the zone %s", (label, zone) => {
  expect(zoneOfLabel(label)).toBe(zone);
});

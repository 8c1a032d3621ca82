import { type Notice, noticeText, smsText } from './notice-text.ts';
import { readerOf } from './reader.ts';

const TIME_MS = Date.parse('2024-05-15T10:47:00Z');
const PERTH = readerOf(
  { timezone: 'Australia/Perth', timezoneAdjustForDst: true, timeFormat: 'DD/MM/YYYY HH:mm' },
  TIME_MS,
);
const STATE: Notice = {
  accountName: 'River Trust',
  accountSlug: 'rivertrust1',
  nodeName: 'Level',
  locationName: 'Weir',
  path: 'river1/Weir/Logger/Level',
  timeMs: TIME_MS,
  value: '7.3',
  units: 'm',
  stateName: 'HIGH',
  quality: 'Good - Entry Inserted',
  categoryName: 'Critical',
  eventText: 'State changed from NORMAL to HIGH',
  subject: '',
  from: '',
};
const ALARM: Notice = { ...STATE, nodeName: 'Logger', stateName: '', value: '', units: '', quality: '' };

test.each([
  ['a state', STATE, '', 'HIGH, 7.3 m', 'Level is HIGH: 7.3 m at 15/05/2024 18:47'],
  ['a state without units', { ...STATE, units: '' }, '', 'HIGH, 7.3', 'Level is HIGH: 7.3 at 15/05/2024 18:47'],
  ['a state whose value is not known', { ...STATE, value: '' }, '', 'HIGH', 'Level is HIGH at 15/05/2024 18:47'],
  ['no state', { ...STATE, stateName: 'NONE' }, '', 'NONE, 7.3 m', 'Level is NONE: 7.3 m at 15/05/2024 18:47'],
  ['a custom text', STATE, 'Open the gate', 'Open the gate', 'Open the gate'],
  ...[
    'Communications failed: no answer',
    'Communications restored',
    'Configuration failed: refused',
    'Configuration recovered',
    'Control failed: refused',
    'Control recovered',
    'Data invalid: 3 records',
    'Data valid',
    'No new data received for 1 day 2 hours',
    'Up to date after 1 day 2 hours',
    'Overload: 12 records discarded',
    'Overload cleared',
    'Process failed: division by zero',
    'Process recovered',
    'Quality is BAD: Missing [157]',
    'Quality is GOOD',
  ].map((text) => ['an alarm', { ...ALARM, eventText: text }, '', text, text] as const),
] as const)('%s', (_what, notice, custom, short, text) => {
  expect(noticeText(notice, custom, PERTH)).toMatchObject({
    subject: `[River Trust] ${notice.nodeName}: ${short}`,
    text: text.replace(/18:47$/, '18:47 (Australia/Perth)'),
  });
  // Times are GSM-7, as all of these texts are.
  const sms = `River Trust Weir/${notice.nodeName}: ${text} @ 15/05/2024 18:47`;
  expect(smsText(notice, custom, PERTH)).toBe(sms.slice(0, 160));
});

test('an SMS about a node outside of Locations names the node alone', () => {
  expect(smsText({ ...ALARM, locationName: '', eventText: 'Data valid' }, '', PERTH)).toBe(
    'River Trust Logger: Data valid @ 15/05/2024 18:47',
  );
});

test('the subject that somebody has given to a message stands for its text', () => {
  const { subject, text, facts } = noticeText(
    { ...ALARM, subject: 'Flood watch', from: 'jo@example.org' },
    'Come to the weir',
    PERTH,
  );
  expect([subject, text, facts[0]]).toEqual([
    '[River Trust] Flood watch',
    'Come to the weir',
    ['From', 'jo@example.org'],
  ]);
});

test('the lines below say what is known', () => {
  expect(noticeText(STATE, '', PERTH).facts).toEqual([
    ['Node', 'river1/Weir/Logger/Level'],
    ['Time', '15/05/2024 18:47 (Australia/Perth)'],
    ['Value', '7.3 m'],
    ['State', 'HIGH'],
    ['Quality', 'Good - Entry Inserted'],
    ['Category', 'Critical'],
  ]);
  expect(noticeText(ALARM, '', PERTH).facts.map(([label]) => label)).toEqual(['Node', 'Time', 'Category']);
});

test('a custom text is cut at 500 characters, a subject at 100', () => {
  const { subject, text } = noticeText(STATE, '💧'.repeat(600), PERTH);
  expect([...text]).toHaveLength(500);
  expect([...subject]).toHaveLength('[River Trust] Level: '.length + 100);
});

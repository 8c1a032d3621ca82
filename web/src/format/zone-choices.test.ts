import { nearZones, otherZones, withZone } from './zone-choices.ts';

const textsOf = (known: Parameters<typeof nearZones>[0]) => nearZones(known).map(({ text, of }) => `${text}: ${of}`);

test.each([
  [
    'all differ',
    { shown: 'Asia/Tokyo', own: 'America/New_York', device: 'Europe/Berlin' },
    ['Asia/Tokyo: Shown now', 'America/New_York: Of this page', 'Europe/Berlin: Of this device', 'UTC: Of the world'],
  ],
  [
    'all are the same',
    { shown: 'Europe/Berlin', own: 'Europe/Berlin', device: 'Europe/Berlin' },
    ['Europe/Berlin: Of this page and this device', 'UTC: Of the world'],
  ],
  ['names of UTC', { shown: 'UTC', own: 'Etc/UTC', device: 'Zulu' }, ['UTC: Of this page and this device']],
  [
    'a device without a zone',
    { shown: 'Asia/Tokyo', own: undefined, device: undefined },
    ['Asia/Tokyo: Shown now', 'UTC: Of the world'],
  ],
  [
    'a zone that nobody has',
    { shown: 'Mars/Olympus', own: undefined, device: '' },
    ['Mars/Olympus: Shown now', 'UTC: Of the world'],
  ],
])('zones near at hand are there once, with what they are of: %s', (_what, known, expected) => {
  expect(textsOf(known)).toEqual(expected);
});

test('all others follow, but for those and for names of UTC', () => {
  const others = otherZones(nearZones({ shown: 'Asia/Tokyo', own: undefined, device: undefined }));
  expect(others.length).toBeGreaterThan(300);
  expect(others).toContain('Europe/Berlin');
  expect(others).not.toContain('Asia/Tokyo');
  expect(others).not.toContain('UTC');
});

test.each(['Asia/Kathmandu', 'Asia/Katmandu', 'Asia/Calcutta', 'Asia/Kolkata'])('%s is there once', (shown) => {
  const near = nearZones({ shown, own: undefined, device: undefined });
  const all = [...near.map(({ name }) => name), ...otherZones(near)];
  expect(all.filter((name) => /Kat(?:h)?mandu|Calcutta|Kolkata/.test(name))).toHaveLength(2);
});

test('a browser that does not list its zones has those near at hand', () => {
  const { supportedValuesOf } = Intl;
  Object.assign(Intl, { supportedValuesOf: undefined });
  try {
    expect(otherZones([])).toEqual([]);
  } finally {
    Object.assign(Intl, { supportedValuesOf });
  }
});

test.each([
  ['', 'Asia/Tokyo', '?timezone=Asia/Tokyo&timezoneAdjustForDst=TRUE'],
  ['?header=none&zoom.a=1/2', 'Etc/UTC', '?header=none&zoom.a=1/2&timezone=Etc/UTC&timezoneAdjustForDst=TRUE'],
  ['?timezone=Asia%2FTokyo&timezoneAdjustForDst=false', 'Europe/Berlin', ''],
  ['?timezone=Asia%2FTokyo&header=none', 'Europe/Berlin', '?header=none'],
  ['?timezone', 'Etc/GMT+2', '?timezone=Etc/GMT%2B2&timezoneAdjustForDst=TRUE'],
])('%s in %s is %s', (search, name, expected) => {
  expect(withZone(search, name, 'Europe/Berlin')).toBe(expected);
});

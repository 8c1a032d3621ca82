import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient, type Quality } from './owner-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());
beforeEach(async () => {
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

const CHECKED = { name: 'Checked', code: 192, type: 'GOOD', color: '#00ff00', sourceQuality: [1, 2] };
const withCodes = async (change: (codes: Quality['codes']) => object[]) => change((await owner.quality()).codes);

test('the settings are those of the account document, by default the system ones', async () => {
  const quality = await owner.quality();
  expect(quality).toMatchObject({ excluded: [], unspecified: 'GOOD', unknown: 'UNCERTAIN' });
  expect(quality.codes.map(({ code, isSystem }) => [code, isSystem])).toEqual(
    [149, 155, 156, 158, 162, 165].map((code) => [code, true]),
  );
  expect((await owner.get()).quality).toEqual(quality);
});

test('what is sent changes, the rest stays, null resets; each change is reported once', async () => {
  expect(await owner.setQuality({ excluded: ['bad', 'BAD'], unknown: 'good' })).toMatchObject({
    excluded: ['BAD'],
    unspecified: 'GOOD',
    unknown: 'GOOD',
  });
  await owner.setQuality({ excluded: ['BAD'] });
  expect(await owner.setQuality({ unspecified: 'UNCERTAIN', excluded: null })).toMatchObject({
    excluded: [],
    unspecified: 'UNCERTAIN',
    unknown: 'GOOD',
  });
  expect((await owner.get()).quality).toEqual(await owner.quality());
  const reported = () =>
    f.published.events.filter((event) => event.ownerId === mine.ownerId).map(({ message }) => message);
  await until(() => reported().length >= 2, { what: 'events' });
  expect(reported()).toEqual([
    'Updated quality.excluded, quality.unknown',
    'Updated quality.excluded, quality.unspecified',
  ]);
});

test('own entries come and go; system entries get numbers and colours', async () => {
  const codes = await withCodes((all) => [
    ...all.map((code) =>
      code.code === 155 ? { ...code, code: 55, color: '#ABCDEF', type: 'GOOD', isSystem: false } : code,
    ),
    { ...CHECKED, isSystem: true },
  ]);
  const after = (await owner.setQuality({ codes })).codes;
  expect(after.find(({ name }) => name === 'Bad - No Data')).toEqual({
    name: 'Bad - No Data',
    code: 55,
    type: 'BAD',
    color: '#abcdef',
    sourceQuality: [],
    isSystem: true,
  });
  expect(after.at(-1)).toEqual({ ...CHECKED, isSystem: false });
  expect((await owner.setQuality({ codes: null })).codes.map(({ code }) => code)).toEqual([
    149, 155, 156, 158, 162, 165,
  ]);
});

test.each<[string, (codes: Quality['codes']) => unknown, string]>([
  ['an unknown type', () => ({ excluded: ['UGLY'] }), 'excluded[0]: must be one of'],
  ['no list', () => ({ excluded: 'BAD' }), 'excluded: must be an array'],
  ['an unknown default', () => ({ unspecified: 'NONE' }), 'unspecified: must be one of'],
  ['a number', () => ({ unknown: 1 }), 'unknown: must be one of'],
  [
    'a missing system entry',
    (all) => ({ codes: all.slice(1) }),
    "codes: must keep the system entry 'Uncertain - Subnormal'",
  ],
  ['a code twice', (all) => ({ codes: [...all, { ...CHECKED, code: 155 }] }), 'codes[6].code: must be unique'],
  [
    'a name twice',
    (all) => ({ codes: [...all, CHECKED, { ...CHECKED, name: 'CHECKED', code: 7 }] }),
    'codes[7].name: must be unique',
  ],
  [
    'a source code twice',
    (all) => ({ codes: [...all, CHECKED, { ...CHECKED, name: 'b', code: 7 }] }),
    'codes[7].sourceQuality[0]: must be unique',
  ],
  ['no type', (all) => ({ codes: [...all, { name: 'b', code: 7 }] }), 'codes[6].type: is required'],
  ['no code', (all) => ({ codes: [...all, { name: 'b', type: 'GOOD' }] }), 'codes[6].code: is required'],
  [
    'a code beyond',
    (all) => ({ codes: [...all, { ...CHECKED, code: 65_536 }] }),
    'codes[6].code: must be a whole number from 0 to 65535',
  ],
  ['half a code', (all) => ({ codes: [...all, { ...CHECKED, code: 1.5 }] }), 'codes[6].code: must be a whole number'],
  [
    'a wrong source code',
    (all) => ({ codes: [...all, { ...CHECKED, sourceQuality: [-1] }] }),
    'codes[6].sourceQuality[0]: must be a whole number',
  ],
  ['a wrong colour', (all) => ({ codes: [...all, { ...CHECKED, color: 'red' }] }), 'codes[6].color: must be a colour'],
  ['no name', (all) => ({ codes: [...all, { ...CHECKED, name: '' }] }), 'codes[6].name: must be a text'],
  ['no object', () => ({ codes: [149] }), 'codes[0]: must be an object'],
])('%s is refused, and nothing changes', async (_what, body, text) => {
  const before = await owner.quality();
  await expect(owner.setQuality(body(before.codes))).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(text),
  });
  expect(await owner.quality()).toEqual(before);
});

test('any key reads them, only MODIFY and ACCOUNT change them; a service names the account', async () => {
  const narrow = await ownerClient(f, { ...mine.caller, accessLevel: 'WORKSPACES' });
  const reader = await ownerClient(f, { ...mine.caller, permission: 'READ_ONLY' });
  expect(await narrow.quality()).toEqual(await owner.quality());
  for (const other of [narrow, reader])
    await expect(other.setQuality({ unknown: 'BAD' })).rejects.toMatchObject({ kind: 'permission_denied' });
  const { json } = await f.owners.getQuality({ ownerId: mine.ownerId }, f.service);
  expect(JSON.parse(Buffer.from(json).toString())).toEqual(await owner.wholeQuality());
  expect(await f.owners.getQualitySettings({ ownerId: mine.ownerId }, f.service)).toEqual(await owner.quality());
  await expect(f.owners.getQuality({ ownerId: '' }, f.service)).rejects.toMatchObject({ kind: 'invalid_argument' });
});

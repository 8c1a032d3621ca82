import { type Fixture, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { newEmail, PASSWORD } from './people-client.ts';
import { type SecurityClient, securityClient } from './security-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
let security: SecurityClient;
let ids: { workspace: string; source: string; point: string; chart: string; attachment: string };

beforeAll(async () => {
  f = await openFixture();
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
  security = await securityClient(f, mine.caller);
  const { workspace, location, source } = await f.source(mine);
  const point = await mine.create('point.NumberPoint', 'Level', source._id);
  const chart = await mine.create('chart.HistoricChart', 'Chart', location._id);
  const attachment = await mine.upload(location._id, Buffer.from('x'), 'x.txt');
  ids = {
    workspace: workspace._id,
    source: source._id,
    point: point._id,
    chart: chart._id,
    attachment: attachment._id,
  };
});
afterAll(() => f.close());

const EVIL = ['a\r\nBcc: x@example.org', 'a\u0000b', 'a\u001bb', 'a\u0085b', 'a\u2028b', 'a\u202eb'];
const state = (more: object) => ({
  states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 1, ...more }],
  statesType: 'RANGE',
});
const account = (more: object) =>
  f.accountsClient.createAccount(
    { accountName: 'A', email: newEmail(), firstName: '', lastName: '', accountType: '', ...more },
    f.service,
  );

/** People give a text of one line in each of these places; the refusal uses the name beside it. */
const TEXTS: readonly (readonly [string, (text: string) => Promise<unknown>])[] = [
  ['accountName', (text) => owner.put({ accountName: text })],
  ['accountName', (accountName) => account({ accountName })],
  ['accountName', (accountName) => f.owners.updateAccount({ account: mine.ownerId, accountName }, f.service)],
  ['firstName', (firstName) => account({ firstName })],
  ['administrators[0].name.first', (first) => owner.put({ administrators: [{ user: newEmail(), name: { first } }] })],
  ['administrators[0].timeFormat', (timeFormat) => owner.put({ administrators: [{ user: newEmail(), timeFormat }] })],
  ['administrators[0].user', (text) => owner.put({ administrators: [{ user: `a${text}@example.org` }] })],
  ['groups[0].name', (name) => owner.put({ groups: [{ name, users: [] }] })],
  ['body[0].name', (name) => owner.createGroups([{ name, users: [] }])],
  ['name', (name) => owner.of('roles').create({ name, permissions: [] })],
  ['name', (name) => owner.of('categories').create({ name })],
  ['label', (label) => owner.of('apikeys').create({ label })],
  [
    'users[0].name.last',
    (last) => security.grant(ids.workspace, { users: [{ user: newEmail(), role: 'View', name: { last } }] }),
  ],
  ['name', (name) => mine.update(ids.workspace, { name })],
  ['name', (name) => mine.create('Workspace', name)],
  ['customId', (customId) => mine.update(ids.workspace, { customId })],
  ['metadata[0].name', (name) => mine.update(ids.workspace, { metadata: [{ name, value: 1 }] })],
  ['units', (units) => mine.update(ids.point, { units })],
  ['states[1].name', (name) => mine.update(ids.point, state({ name }))],
  ['states[1].messageTowards', (messageTowards) => mine.update(ids.point, state({ messageTowards }))],
  [
    'alarms.outdatedAlarm.config.messageTowards',
    (messageTowards) => mine.update(ids.source, { alarms: { outdatedAlarm: { config: { messageTowards } } } }),
  ],
];

test.each(TEXTS)('%s takes no control characters: 400 that names it', async (at, give) => {
  for (const text of EVIL) {
    const error = await give(text).then(
      () => 'taken',
      ({ kind, message }) => ({ kind, message }),
    );
    expect([text, error]).toEqual([text, { kind: 'invalid_argument', message: expect.stringContaining(at) }]);
  }
});

/** Texts of several lines. */
const LINES: readonly (readonly [string, (text: string) => Promise<unknown>])[] = [
  ['description', (description) => mine.update(ids.chart, { description })],
  ['description', (description) => mine.update(ids.attachment, { description })],
  ['states[1].description', (description) => mine.update(ids.point, state({ description }))],
  ['metadata[0].value', (value) => mine.update(ids.workspace, { metadata: [{ name: 'note', value }] })],
  ['sharedCode', (sharedCode) => mine.update(ids.workspace, { sharedCode })],
];

test.each(LINES)('%s takes line breaks and tabs, and no other control characters', async (at, give) => {
  await give('one\r\n\ttwo\n');
  for (const text of EVIL.slice(1))
    await expect(give(text)).rejects.toMatchObject({ kind: 'invalid_argument', message: expect.stringContaining(at) });
});

test('nothing of it was stored, and a password may be any text', async () => {
  const { administrators, groups, accountName } = await owner.get();
  expect([administrators, groups, accountName]).toEqual([[], [], expect.stringMatching(/^Account \d+$/)]);
  const { ownerActivateUrl = '' } = await account({});
  const request = {
    token: ownerActivateUrl.slice(-36),
    password: `${PASSWORD}\t\u001b`,
    sessionSha256: Buffer.alloc(32, 1),
    clientAddress: '',
    userAgent: '',
  };
  await f.people.useLink({ ...request, profile: undefined }, f.service);
});

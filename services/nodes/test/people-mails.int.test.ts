import { type TestMailServer, testMailServer } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { newEmail, peopleClient, sendMails, tokenOf } from './people-client.ts';

let f: Fixture;
let server: TestMailServer;
let people: ReturnType<typeof peopleClient>;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;

beforeAll(async () => {
  [f, server] = await Promise.all([openFixture(), testMailServer()]);
  people = peopleClient(f);
});
afterAll(async () => {
  await f.close();
  await server.close();
});
beforeEach(async () => {
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

const LINK = /https:\/\/app\.test\/auth\/(setupprofile|resetpassword)\/[0-9a-f-]{36}/;
/** Returns the mails to an address so far, after sending the queue. */
async function mailsTo(address: string) {
  await sendMails(f, server);
  return server.mails.filter(({ to }) => to.includes(address));
}
const linkIn = (text: string | undefined) => tokenOf(LINK.exec(text ?? '')?.[0]);

/** Makes a person of the account with a finished profile. @param groupName of the group that makes it so */
async function activePerson(groupName = 'Staff'): Promise<string> {
  const email = newEmail();
  const after = await owner.createGroups([{ name: `${groupName} ${email}`, users: [{ user: email }] }]);
  await people.use(tokenOf(after.at(-1)?.users[0]?.profileActivateUrl));
  return email;
}

test('a new administrator gets a welcome mail whose link finishes the profile', async () => {
  const email = newEmail();
  await owner.put(
    { accountName: 'River <b>Trust</b>', administrators: [{ user: email, name: { first: 'Ann' } }] },
    '',
    true,
  );
  const [mail, ...more] = await mailsTo(email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Welcome to Catchment: River <b>Trust</b>');
  expect(mail?.text).toContain('Hello Ann,');
  expect(mail?.text).toContain(
    `${mine.caller.username} has given you administrator access in the account 'River <b>Trust</b>'.`,
  );
  expect(mail?.html).toContain('River &lt;b&gt;Trust&lt;/b&gt;');
  expect(mail?.html).toMatch(LINK);
  expect(await people.use(linkIn(mail?.text))).toMatchObject({ username: email, ownerId: mine.ownerId });
});

test('the link of the answer and the one of the mail both work, until one is used', async () => {
  const email = newEmail();
  const after = await owner.put({ administrators: [{ user: email }] }, '', true);
  const shown = tokenOf(after.administrators?.[0]?.profileActivateUrl);
  const [mail] = await mailsTo(email);
  const mailed = linkIn(mail?.text);
  expect(mailed).not.toBe(shown);
  await people.link(shown);
  await people.use(mailed);
  await expect(people.link(shown)).rejects.toMatchObject({ kind: 'not_found' });
});

test('people who are active hear of access that they get and lose; nobody hears of what stays', async () => {
  const [ann, bob] = [await activePerson(), await activePerson()];
  await owner.put({ administrators: [{ user: ann }] }, '', true);
  await owner.put({ administrators: [{ user: ann }, { user: bob }] }, '', true);
  await owner.put({ administrators: [{ user: bob }] }, '', true);
  const texts = (await mailsTo(ann)).map(({ subject, text }) => [subject, text.split('\n')[2]]);
  const { accountName } = await owner.get();
  const by = mine.caller.username;
  expect(texts).toEqual([
    [
      `Your access to ${accountName} has changed`,
      `${by} has given you administrator access in the account '${accountName}'.`,
    ],
    [
      `Your access to ${accountName} has changed`,
      `${by} has ended your administrator access in the account '${accountName}'.`,
    ],
  ]);
  expect(await mailsTo(bob)).toHaveLength(1);
  expect((await mailsTo(bob))[0]?.text).toContain('https://app.test/auth/login');
});

test('groups report who comes and goes, in one mail for a person', async () => {
  const [ann, bob] = [await activePerson(), newEmail()];
  await owner.createGroups(
    [
      { name: 'Day', users: [{ user: ann }] },
      { name: 'Night', users: [{ user: ann }, { user: bob }] },
    ],
    true,
  );
  const [both] = await mailsTo(ann);
  expect(both?.text).toContain("membership of the group 'Day'");
  expect(both?.text).toContain("membership of the group 'Night'");
  expect((await mailsTo(bob)).map(({ subject }) => subject)).toEqual([expect.stringContaining('Welcome')]);
  const day = (await owner.get()).groups?.find(({ name }) => name === 'Day');
  await owner.updateGroup(day?._id ?? '', { name: 'Dawn' }, true);
  await owner.updateGroup(day?._id ?? '', { users: [] }, true);
  expect((await mailsTo(ann)).at(-1)?.text).toContain("has ended your membership of the group 'Dawn'");
  const night = (await owner.get()).groups?.at(-1);
  await owner.deleteGroup(night?._id ?? '', true);
  expect((await mailsTo(ann)).at(-1)?.text).toContain("has ended your membership of the group 'Night'");
  expect(await mailsTo(ann)).toHaveLength(3);
});

test('naming somebody whose profile is not finished once more sends a new link, and shows none', async () => {
  const email = newEmail();
  await owner.put({ administrators: [{ user: email }] }, '', false);
  expect(await mailsTo(email)).toEqual([]);
  const again = await owner.put({ administrators: [{ user: email }] }, '', true);
  expect(again.administrators?.[0]).not.toHaveProperty('profileActivateUrl');
  const [mail] = await mailsTo(email);
  expect(mail?.subject).toContain('Welcome');
  await people.use(linkIn(mail?.text));
});

test('without notify nobody hears of anything, and a request that fails sends nothing', async () => {
  const [ann, bob] = [await activePerson(), newEmail()];
  await owner.put({ administrators: [{ user: ann }, { user: bob }] });
  await owner.put({ administrators: [] });
  await expect(
    owner.put({ administrators: [{ user: ann }, { user: bob }], groups: [{ users: [] }] }, '', true),
  ).rejects.toMatchObject({ kind: 'invalid_argument' });
  expect([await mailsTo(ann), await mailsTo(bob)]).toEqual([[], []]);
});

test('a welcome mail that was not sent before its link was used is dropped', async () => {
  const email = newEmail();
  const after = await owner.put({ administrators: [{ user: email }] }, '', true);
  await people.use(tokenOf(after.administrators?.[0]?.profileActivateUrl));
  expect(await mailsTo(email)).toEqual([]);
});

describe('a forgotten password', () => {
  test('a link comes by mail, sets a new one and works once', async () => {
    const email = await activePerson();
    await people.reset(` ${email.toUpperCase()} `);
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('A new password for Catchment');
    const token = linkIn(mail?.text);
    expect(await people.link(token)).toMatchObject({ purpose: 'reset', email });
    await people.use(token, { password: 'another password' });
    await expect(people.use(token)).rejects.toMatchObject({ kind: 'not_found' });
    await people.signIn(email, 'another password');
  });

  test('a profile that is not finished gets its activation link; nobody learns who exists', async () => {
    const pending = newEmail();
    await owner.put({ administrators: [{ user: pending }] });
    expect(await people.reset(pending)).toEqual(await people.reset(newEmail()));
    const [mail] = await mailsTo(pending);
    expect(await people.link(linkIn(mail?.text))).toMatchObject({ purpose: 'activate' });
    await expect(people.reset('no address')).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test('nobody is flooded: three an hour', async () => {
    const email = await activePerson();
    for (let i = 0; i < 3; i += 1) await people.reset(email, `192.0.2.${i}`);
    await expect(people.reset(email, '192.0.2.99')).rejects.toMatchObject({ kind: 'resource_exhausted' });
    expect(await mailsTo(email)).toHaveLength(3);
  });
});

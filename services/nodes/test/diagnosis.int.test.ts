import type { ApiCaller } from '@catchment/access';
import type { Contacts } from '../src/diagnosis/usecases/ports.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';
import { callerOf, securityClient } from './security-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let site: { workspace: Json; location: Json; source: Json };
const known: { -readonly [Name in keyof Contacts]: Contacts[Name] } = {
  contact: async () => undefined,
  events: async () => undefined,
};

beforeAll(async () => {
  f = await openFixture({ contact: (...of) => known.contact(...of), events: (...of) => known.events(...of) });
  mine = await f.account();
  site = await f.source(mine, FTP('one.example.org'));
});
afterAll(() => f.close());
afterEach(() => {
  known.contact = async () => undefined;
  known.events = async () => undefined;
});

function FTP(host: string) {
  return { transport: { _class: 'io.svc.models.node.transport.FtpDownload', host } };
}

// biome-ignore lint/suspicious/noExplicitAny: documents of the API
const diagnosisOf = async (nodeRef: string, caller: ApiCaller = mine.caller): Promise<any> => {
  const { json } = await f.diagnosis.getDiagnosis({ nodeRef }, await f.optionsOf(caller));
  return JSON.parse(json.toString());
};

test('a parameter and a Location with one source answer with that source', async () => {
  const { parameters } = await mine.ensure(site.source._id, [{ name: 'Level' }]);
  for (const id of [site.source._id, parameters[0]!.nodeId, site.location._id])
    expect(await diagnosisOf(id)).toMatchObject({ nodeId: site.source._id, state: { code: 'NEVER_HEARD' } });
});

test.each([
  ['a Workspace', async () => site.workspace._id, 'must be a source'],
  [
    'a Location without a source',
    async () => (await mine.create('location.Location', 'Empty', site.workspace._id))._id,
    'must be a source',
  ],
  [
    'a Location with several',
    async () => {
      const place = await mine.create('location.Location', 'Two', site.workspace._id);
      for (const name of ['a', 'b']) await mine.create('source.data.Jts', name, place._id);
      return place._id;
    },
    'several sources',
  ],
])('%s is refused by name', async (_what, nodeOf, text) => {
  await expect(diagnosisOf(await nodeOf())).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(text),
  });
});

test('nothing that a transport keeps secret is shown', async () => {
  const password = 'never-told-to-anybody';
  const secret = await mine.create('source.data.TextParser', 'Secret', site.location._id, {
    transport: { ...FTP('two.example.org').transport, password },
  });
  expect(JSON.stringify(await diagnosisOf(secret._id))).not.toContain(password);
  await mine.remove(secret._id);
});

test('who is away is left out, and the answer says so', async () => {
  known.contact = async () => {
    throw new Error('away');
  };
  known.events = async () => [];
  const { unknown, nextTry, state } = await diagnosisOf(site.source._id);
  expect([unknown, nextTry, state.code]).toEqual([['DEVICES'], null, 'NEVER_HEARD']);
});

describe('others on the same server', () => {
  let far: Json;
  let near: Json;
  beforeAll(async () => {
    near = await mine.create('source.data.TextParser', 'Near', site.location._id, FTP('one.example.org'));
    await mine.create('source.data.TextParser', 'Another server', site.location._id, FTP('three.example.org'));
    const workspace = await mine.create('Workspace', 'Far away');
    const place = await mine.create('location.Location', 'Place', workspace._id);
    far = await mine.create('source.data.TextParser', 'Far', place._id, FTP('one.example.org'));
    const stranger = await f.account();
    await f.source(stranger, FTP('one.example.org'));
  });

  test('are those of the account, on this server', async () => {
    const { peers } = await diagnosisOf(site.source._id);
    expect(peers).toMatchObject({ by: 'SERVER', total: 2, silent: 2, hasMore: false });
    expect(peers.named.map(({ name }: Json) => name).sort()).toEqual(['Far', 'Near']);
  });

  test('are counted and named for a person only as far as they may be seen', async () => {
    const owner = await ownerClient(f, mine.caller);
    const security = await securityClient(f, mine.caller);
    const user = 'sam.far@example.org';
    await security.grant(site.workspace._id, { users: [{ user, role: 'View' }] });
    const key = String((await owner.of('apikeys').create({ label: 'Sam', permission: 'READ_ONLY', user })).key);
    const sam = await callerOf(f, key);
    expect((await diagnosisOf(site.source._id, sam)).peers).toMatchObject({ total: 1, named: [{ name: 'Near' }] });
    await expect(diagnosisOf(far._id, sam)).rejects.toMatchObject({ kind: 'not_found' });
    await security.grant(near._id, { users: [{ user, role: 'No Access' }] });
    const closed = await callerOf(f, key);
    expect((await diagnosisOf(site.source._id, closed)).peers).toMatchObject({ total: 0, named: [] });
    await expect(diagnosisOf(near._id, closed)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('a disabled one is not waited for', async () => {
    await mine.update(far._id, { isEnabled: false });
    expect((await diagnosisOf(site.source._id)).peers).toMatchObject({ total: 1 });
  });
});

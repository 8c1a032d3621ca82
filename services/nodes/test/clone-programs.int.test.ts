import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
let api: Awaited<ReturnType<Fixture['account']>>;

beforeAll(async () => {
  f = await openFixture();
  api = await f.account();
});
afterAll(() => f.close());

/** Workspace → Location «Station» → sources «Logger» and «Other», each with «Level»; «Logger» has a program. */
async function site(name: string, code: (ids: { level: string; other: string }) => string) {
  const workspace = await api.create('Workspace', name);
  const station = await api.create('location.Location', 'Station', workspace._id);
  const logger = await api.create('source.data.Jts', 'Logger', station._id);
  const beside = await api.create('source.data.Jts', 'Other', station._id);
  const level = await api.create('point.NumberPoint', 'Level', logger._id, { customId: `level-${name}` });
  const other = await api.create('point.NumberPoint', 'Level', beside._id, { customId: `other-${name}` });
  const process = { code: code({ level: level._id, other: other._id }) };
  await api.create('point.NumberProcessPoint', 'Twice', logger._id, { process });
  return { workspace, station, logger, beside, level, other };
}
const codeOf = (nodes: Record<string, unknown>[]) =>
  (nodes.find(({ name }) => name === 'Twice') as { process: { code: string } }).process.code;
const idIn = (nodes: Record<string, unknown>[], name: string) => nodes.find((node) => node.name === name)?._id;

test('what a program names in the copied branch are the copies', async () => {
  const { workspace } = await site(
    'A',
    ({ level }) =>
      `NUMBER('{${level.toUpperCase()}}') + NUMBER("{@level-A};MEAN;D;1D") + NUMBER('/a/Station/Other/Level') + NUMBER('Level')`,
  );
  const copies = await api.clone(workspace._id, {});
  const level = idIn(copies, 'Level');
  expect(codeOf(copies)).toBe(
    `NUMBER('{${level}}') + NUMBER("{${level}};MEAN;D;1D") + NUMBER('/A (2)/Station/Other/Level') + NUMBER('Level')`,
  );
});

test('what lies outside stays in the same Workspace, is looked up by the same relative path in another, or stays broken', async () => {
  const from = await site(
    'B',
    ({ other }) =>
      `NUMBER('{${other}}') + NUMBER('{@other-B}') + NUMBER('/B/Station/Other/Level') + NUMBER('/B/Elsewhere/x')`,
  );
  const beside = codeOf(await api.clone(from.logger._id, { parentId: from.station._id, name: 'Second' }));
  expect(beside).toBe(
    `NUMBER('{${from.other._id}}') + NUMBER('{@other-B}') + NUMBER('/B/Station/Other/Level') + NUMBER('/B/Elsewhere/x')`,
  );
  const to = await site('C', () => 'return 1');
  const copied = codeOf(await api.clone(from.logger._id, { parentId: to.station._id, name: 'Third' }));
  expect(copied).toBe(
    `NUMBER('{${to.other._id}}') + NUMBER('{${to.other._id}}') + NUMBER('/C/Station/Other/Level') + NUMBER('/B/Elsewhere/x')`,
  );
  const bare = await api.create('Workspace', 'D');
  const station = await api.create('location.Location', 'Station', bare._id);
  const broken = codeOf(await api.clone(from.logger._id, { parentId: station._id }));
  expect(broken).toBe(
    `NUMBER('{${from.other._id}}') + NUMBER('{@other-B}') + NUMBER('/B/Station/Other/Level') + NUMBER('/B/Elsewhere/x')`,
  );
});

test('shared code follows its Workspace, and keys go along', async () => {
  const workspace = await api.create('Workspace', 'E', undefined, { sharedCode: "// '/E/Station'\nfunction f() {}" });
  const [copy] = await api.clone(workspace._id, {});
  expect(copy?.sharedCode).toBe("// '/E (2)/Station'\nfunction f() {}");
});

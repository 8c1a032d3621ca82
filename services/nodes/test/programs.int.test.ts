import type { ApiCaller } from '@catchment/access';
import type { ProgramNode } from '@catchment/contracts/programs';
import { until } from '@catchment/testkit';
import { announceDue } from '../src/nodes/index.ts';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
let api: Awaited<ReturnType<Fixture['account']>>;
let site: Awaited<ReturnType<Fixture['source']>>;
let ids: Record<'level' | 'computed' | 'other' | 'temperature' | 'processor' | 'output', string>;

beforeAll(async () => {
  f = await openFixture();
  api = await f.account();
  site = await f.source(api, { timezone: 'Australia/Perth' });
  const code = `// ${'x'.repeat(9)}\nreturn NUMBER('Level') * 2`;
  const level = await api.create('point.NumberPoint', 'Level', site.source._id, { customId: 'level', units: 'm' });
  const computed = await api.create('point.NumberProcessPoint', 'Twice', site.source._id, { process: { code } });
  const second = await api.create('source.data.Jts', 'Second', site.location._id);
  const other = await api.create('point.NumberPoint', 'Temp 1', second._id);
  const temperature = await api.create('point.NumberPoint', 'TEMP 2', second._id);
  const processor = await api.create('source.data.Processor', 'Sums', site.location._id, {
    process: { code: "NUMBER('Sum').currentValue = 1", qualityFilter: ['GOOD'] },
  });
  const output = await api.create('point.NumberPoint', 'Sum', processor._id);
  ids = {
    level: level._id,
    computed: computed._id,
    other: other._id,
    temperature: temperature._id,
    processor: processor._id,
    output: output._id,
  };
});
afterAll(() => f.close());

const programs = () => f.programs;
const asProcessing = () => f.optionsOf({ kind: 'service', service: 'processing' });
const grantsOf = (grants: Record<string, string>) => Object.entries(grants).map(([slug, key]) => ({ slug, key }));

/** Returns what paths name, for the service: ids, or why not. */
async function resolved(
  nodeRef: string,
  paths: readonly (string | { path: string; many: boolean })[],
  { grants = {}, caller }: { grants?: Record<string, string>; caller?: ApiCaller } = {},
) {
  const asked = paths.map((path) => (typeof path === 'string' ? { path, many: false } : path));
  const request = { ownerId: caller ? '' : api.ownerId, nodeRef, paths: asked, grants: grantsOf(grants) };
  const options = caller ? await f.optionsOf(caller) : await asProcessing();
  return (await programs().resolvePaths(request, options)).paths;
}
const named = async (...args: Parameters<typeof resolved>) =>
  (await resolved(...args)).map(({ nodes, failure }) => failure || nodes.map((node) => node.config?.name).join());
const all = (path: string) => ({ path, many: true });
const attributesOf = (node: ProgramNode | undefined) => JSON.parse(String(node?.attributes)) as Record<string, unknown>;

test('a program comes with its surroundings, for the service with its code', async () => {
  const request = { ownerId: api.ownerId, nodeRef: ids.computed };
  const program = await programs().getProgram(request, await asProcessing());
  expect(program).toMatchObject({
    code: expect.stringContaining("NUMBER('Level')"),
    runMode: 'ALL_INPUTS',
    hasQualityFilter: false,
    secondaryInputs: 'INTERPOLATED',
    aggregateInputs: 'PARTIAL',
    timezone: 'Australia/Perth',
    sharedCode: '',
    source: { config: { name: 'Logger' } },
    location: { config: { name: 'Station' } },
    workspace: { config: { name: 'Site' } },
  });
  expect(program.digest).toBe(program.node?.config?.series?.program?.digest);
  expect(program.digest).toMatch(/^[0-9a-f]{32}$/);
  const attributes = attributesOf(program.source);
  expect(attributes).toMatchObject({ name: 'Logger', timezone: 'Australia/Perth' });
  expect(attributes).not.toHaveProperty('currentStatus');
  expect(attributes).not.toHaveProperty('totalCommsAttempt');
  expect(attributesOf(program.node)).not.toHaveProperty('alarms.processAlarm.status');
  const forPeople = await programs().getProgram({ ownerId: '', nodeRef: ids.computed }, api.options);
  expect(forPeople).toMatchObject({ code: '', digest: program.digest, timezone: 'Australia/Perth' });
});

test('a processor is its own source', async () => {
  const program = await programs().getProgram({ ownerId: api.ownerId, nodeRef: ids.processor }, await asProcessing());
  expect(program).toMatchObject({
    source: { config: { nodeId: ids.processor } },
    qualityFilter: ['GOOD'],
    hasQualityFilter: true,
  });
  expect(program.node?.config?.source?.program?.digest).toBe(program.digest);
});

test('what has no program, lies in a template or belongs to others is not found', async () => {
  const root = await api.create('Templates', 'Templates');
  const template = await api.create('location.Location', 'T', root._id);
  const source = await api.create('source.data.Jts', 'S', template._id);
  const inside = await api.create('point.NumberProcessPoint', 'P', source._id, { process: { code: 'return 1' } });
  const stranger = await f.account();
  const service = await asProcessing();
  for (const nodeRef of [ids.level, site.source._id, inside._id, 'f'.repeat(24)])
    await expect(programs().getProgram({ ownerId: api.ownerId, nodeRef }, service)).rejects.toMatchObject({
      kind: 'not_found',
    });
  await expect(programs().getProgram({ ownerId: '', nodeRef: ids.level }, api.options)).rejects.toMatchObject({
    kind: 'failed_precondition',
  });
  await expect(programs().getProgram({ ownerId: '', nodeRef: ids.computed }, stranger.options)).rejects.toMatchObject({
    kind: 'not_found',
  });
  await expect(
    programs().getProgram(
      { ownerId: api.ownerId, nodeRef: ids.computed },
      await f.optionsOf({ kind: 'service', service: 'render' }),
    ),
  ).rejects.toMatchObject({ kind: 'permission_denied' });
  expect((await f.configOf(inside._id)).series?.program).toBeUndefined();
});

test('paths of a process parameter begin at its source', async () => {
  const paths = [
    'Level',
    'LEVEL',
    '../Second/temp 1',
    '/site/Station/Logger/Level',
    `{${ids.level}}`,
    '{@level}',
    '{@nothing}',
  ];
  expect(await named(ids.computed, paths)).toEqual([
    'Level',
    'Level',
    'Temp 1',
    'Level',
    'Level',
    'Level',
    "no node '{@nothing}'",
  ]);
  expect(
    await named(ids.computed, [`{${site.location._id}}/Second/TEMP 2`, '..', '../..', '../../..', '/Site']),
  ).toEqual(['TEMP 2', 'Station', 'Site', "no node '../../..'", 'Site']);
  expect((await resolved(ids.computed, ['Missing']))[0]).toMatchObject({
    mayDeclare: false,
    failure: "no node 'Missing'",
  });
});

test('paths of a processor begin beside it; a bare name is an output first, and may become one', async () => {
  expect(await named(ids.processor, ['Second/Temp 1', 'Sum', 'Second'])).toEqual(['Temp 1', 'Sum', 'Second']);
  const [sum, second, fresh, wrong, path] = await resolved(ids.processor, [
    'Sum',
    'Second',
    'Total',
    'a_b',
    'Second/x',
  ]);
  expect(sum).toMatchObject({ isOutput: true, mayDeclare: false });
  expect(second).toMatchObject({ isOutput: false, mayDeclare: false });
  expect(fresh).toMatchObject({ failure: "no node 'Total'", mayDeclare: true });
  expect(wrong).toMatchObject({ mayDeclare: false });
  expect(path).toMatchObject({ mayDeclare: false });
});

test('NODES finds by a pattern, in any case, never the program itself', async () => {
  const paths = [
    all('../Second/temp \\d'),
    all('^t'),
    all('.*'),
    all('../Second/^none$'),
    all('(?=x)'),
    all('../Nowhere/.*'),
  ];
  expect(await named(ids.computed, paths)).toEqual([
    'Temp 1,TEMP 2',
    '',
    'Level',
    '',
    "'(?=x)' is no regular expression (RE2 syntax, not too large)",
    '',
  ]);
});

test('another Workspace is out of sight, also by its id, unless AUTH opens it', async () => {
  const closed = await api.create('Workspace', 'Closed');
  const location = await api.create('location.Location', 'L', closed._id, { customId: 'elsewhere' });
  expect(await named(ids.computed, ['/Closed/L', `{${location._id}}`, '{@elsewhere}'])).toEqual([
    "no node '/Closed/L'",
    `no node '{${location._id}}'`,
    "no node '{@elsewhere}'",
  ]);
  const grants = { [api.slug]: api.administrationKey };
  expect(await named(ids.computed, [`/${api.slug}/Closed/L`, '/Closed/L'], { grants })).toEqual([
    'L',
    "no node '/Closed/L'",
  ]);
});

test('AUTH opens what its key may see, as long as the key may', async () => {
  const theirs = await f.account();
  const foreign = await f.source(theirs);
  const two = await theirs.create('Workspace', 'Private');
  const paths = [`/${theirs.slug}/Site/Station`, `/${theirs.slug}/Private`];
  const open = (key: string, slug = theirs.slug) => named(ids.computed, paths, { grants: { [slug]: key } });
  expect(await open(theirs.defaultKey)).toEqual(['Station', 'Private']);
  const refusal = `the key of AUTH('${theirs.slug}') opens no such account`;
  for (const key of [api.administrationKey, 'x'.repeat(40), '']) expect(await open(key)).toEqual([refusal, refusal]);
  // The slug without AUTH is a Workspace that is not there.
  expect(await named(ids.computed, paths)).toEqual(paths.map((path) => `no node '${path}'`));
  await f.database.query(
    `UPDATE api_keys SET access_level = 'LIMITED_WORKSPACES', workspace_ids = $2 WHERE owner_id = $1`,
    [theirs.ownerId, [foreign.workspace._id]],
  );
  expect(await open(theirs.defaultKey)).toEqual(['Station', `no node '/${theirs.slug}/Private'`]);
  await f.database.query(`UPDATE owners SET status = 'DISABLED' WHERE owner_id = $1`, [theirs.ownerId]);
  expect(await open(theirs.defaultKey)).toEqual([refusal, refusal]);
  expect(two._id).toBeDefined();
});

test('people who try a program out need MODIFY and CONFIGURE, and stay in its Workspace', async () => {
  const grant = (permissions: string[], more: Partial<ApiCaller> = {}): ApiCaller => ({
    ...api.caller,
    accessLevel: 'WORKSPACES',
    ...more,
    rights: { grants: [{ permissions, workspaceIds: [site.workspace._id] }] },
  });
  expect(await named(ids.computed, ['Level'], { caller: grant(['VIEW', 'CONFIGURE']) })).toEqual(['Level']);
  for (const caller of [grant(['VIEW', 'EDIT_DATA']), grant(['VIEW', 'CONFIGURE'], { permission: 'READ_ONLY' })])
    await expect(resolved(ids.computed, ['Level'], { caller })).rejects.toMatchObject({ kind: 'permission_denied' });
  const many = Array.from({ length: 201 }, () => 'Level');
  await expect(resolved(ids.computed, many)).rejects.toMatchObject({ kind: 'invalid_argument' });
});

test('keys of AUTH are never shown, and kept when they come back masked', async () => {
  const theirs = await f.account();
  await f.source(theirs);
  const code = (key: string) =>
    `AUTH('${theirs.slug}', '${key}');\nreturn NUMBER('/${theirs.slug}/Site/Station/Logger/Level')`;
  const made = await api.create('point.NumberProcessPoint', 'Secret', site.source._id, {
    process: { code: code(theirs.defaultKey) },
  });
  const masked = { code: code('********') };
  expect(made.process).toMatchObject(masked);
  const shown = JSON.stringify([
    await api.get(made._id),
    await api.get(made._id, 'process.code'),
    (await api.list()).list,
    await api.update(made._id, { name: 'Renamed' }),
    await api.update(made._id, { process: masked }),
    await api.clone(made._id, { parentId: site.source._id }),
  ]);
  expect(shown).toContain('********');
  expect(shown).not.toContain(theirs.defaultKey);
  const kept = await programs().getProgram({ ownerId: api.ownerId, nodeRef: made._id }, await asProcessing());
  expect(kept.code).toBe(code(theirs.defaultKey));
  // A program that is tried out has the key masked, as it was shown.
  const grants = { [theirs.slug]: '********' };
  expect(await named(made._id, [`/${theirs.slug}/Site`], { grants, caller: api.caller })).toEqual(['Site']);

  for (const process of [{ code: "AUTH('unknown', '********')" }, { code: 'AUTH(slug, key)' }])
    await expect(api.update(made._id, { process })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringMatching(/^process\.code: /),
    });
  for (const filter of ['process.code($match):AUTH', 'process.code.x($eq):1'])
    await expect(api.list({ filter })).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(api.list({ filter: 'sharedCode($match:AUTH)' })).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(api.list({ sort: 'process.code' })).rejects.toMatchObject({ kind: 'invalid_argument' });
});

test('the schedule is reported with its offset worked out, shared code and programs by what they change with', async () => {
  const processor = await f.configOf(ids.processor);
  expect(processor.source).toMatchObject({ intervalSeconds: 3600 });
  expect(processor.source?.intervalOffsetSeconds).toBeLessThan(300);
  const schedule = { intervalSeconds: 60, intervalOffsetSeconds: 7 };
  await api.update(ids.processor, schedule);
  expect((await f.configOf(ids.processor)).source).toMatchObject(schedule);
  const program = (await f.configOf(ids.computed)).series?.program;
  await api.update(ids.computed, { process: { code: 'return 1', runMode: 'ANY_INPUT' } });
  expect((await f.configOf(ids.computed)).series?.program?.digest).not.toBe(program?.digest);
  await api.update(ids.computed, { process: { code: ' ' } });
  expect((await f.configOf(ids.computed)).series?.program).toBeUndefined();
  expect((await f.configOf(site.workspace._id)).sharedCodeDigest).toBe('');
  await api.update(site.workspace._id, { sharedCode: 'function f(x) { return x }' });
  expect((await f.configOf(site.workspace._id)).sharedCodeDigest).toMatch(/^[0-9a-f]{32}$/);
});

test('after an upgrade the other services hear of programs that were there', async () => {
  const { revision } = await f.configOf(ids.processor);
  await f.database.query('INSERT INTO due_announcements SELECT node_id, owner_id FROM nodes WHERE node_id = $1', [
    ids.processor,
  ]);
  await announceDue(f);
  // Earlier changes may come meanwhile.
  const { node } = await until(() =>
    f.published.changed.find((change) => change.node.nodeId === ids.processor && change.node.revision > revision),
  );
  expect(node).toMatchObject({ source: { program: { digest: expect.any(String) } } });
  expect((await f.configOf(ids.processor)).revision).toBeGreaterThan(revision);
  expect((await f.database.query('SELECT FROM due_announcements')).rowCount).toBe(0);
});

test('outputs of a processor are made for its program, and by nobody else', async () => {
  const columns = [
    { index: 0, id: '', series: '', name: 'Total', dataType: 'NUMBER', units: '' },
    { index: 1, id: '', series: '', name: 'Is wet', dataType: 'BOOLEAN', units: '' },
    { index: 2, id: '', series: '', name: 'SUM', dataType: 'NUMBER', units: '' },
  ];
  const request = { ownerId: api.ownerId, sourceId: ids.processor, columns };
  const { parameters } = await f.nodes.ensureParameters(request, await asProcessing());
  expect(parameters.map(({ name, parentId }) => [name, parentId])).toEqual([
    ['Total', ids.processor],
    ['Is wet', ids.processor],
    ['Sum', ids.processor],
  ]);
  expect(parameters[1]?.series?.states.map(({ name }) => name)).toEqual(['TRUE', 'FALSE']);
  for (const options of [await f.optionsOf({ kind: 'service', service: 'historic' }), api.options])
    await expect(f.nodes.ensureParameters({ ...request, ownerId: api.ownerId }, options)).rejects.toMatchObject({
      kind: 'failed_precondition',
    });
});

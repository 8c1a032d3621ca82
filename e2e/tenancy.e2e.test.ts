// No key reaches hidden data: every operation of the API is called for objects of a first account with keys of
// another account, of an account that the first one manages, and with its own narrower keys. The requests are in src/tenancy/walk.ts,
// the callers in src/tenancy/intruders.ts.
import { setTimeout as delay } from 'node:timers/promises';
import { openEventStream, until } from '@catchment/testkit';
import { type Answer, Api, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { type Operation, operationsOf } from './src/open-api.ts';
import { BY_PERMISSION, peopleByRole } from './src/tenancy/by-permission.ts';
import { dumpOf } from './src/tenancy/dump.ts';
import { type FirstAccount, fillFirstAccount } from './src/tenancy/first-account.ts';
import { createIntruders, type Intruder } from './src/tenancy/intruders.ts';
import { askOutside, OUTSIDE, outsideRoute } from './src/tenancy/outside.ts';
import { type Trial, WALK } from './src/tenancy/walk.ts';

/** Requests under way at once. */
const LANES = 6;
/** A stream that is silent for this long has sent what there was. */
const QUIET_MS = 700;

type Reply = Pick<Answer, 'status' | 'text'>;

let installation: Installation;
let first: FirstAccount;
let operations: readonly Operation[];
let intruders: readonly Intruder[];

beforeAll(async () => {
  installation = await startInstallation();
  const accountName = `acc${Date.now().toString(36)}x${process.pid.toString(36)}`;
  const created = await installation.account({ name: accountName });
  first = await fillFirstAccount(created.api, accountName);
  const second = await installation.account({ name: unique('Second') });
  const managed = await installation.account({ name: unique('Managed'), type: 'MANAGED', parent: created.id });
  intruders = await createIntruders(first, second.api, managed.api);
  operations = await operationsOf(installation.url);
});
afterAll(() => installation?.stop());

test('every operation of the OpenAPI document is in the walk, and the walk knows no other', () => {
  const missing = operations.filter(({ name }) => !(name in WALK)).map(({ name }) => name);
  const advice = 'add to WALK in e2e/src/tenancy/walk.ts what a stranger could name in';
  expect(missing.map((name) => `${advice} ${name}`)).toEqual([]);
  expect(Object.keys(WALK).filter((name) => !operations.some((operation) => operation.name === name))).toEqual([]);
});

test('the first account holds every marker that answers are searched for', async () => {
  const dump = JSON.stringify(await dumpOf(first.api, () => true));
  const { hidden, people, account } = first.markers;
  expect([...hidden, ...people, ...account].filter((marker) => !dump.includes(marker))).toEqual([]);
});

test('the walk: nothing of the first account is returned or changed, whoever asks', async () => {
  const failures: string[] = [];
  let asked = 0;
  // A key's changes in a workspace that it may use are no breach.
  const dump = () => dumpOf(first.api, (workspaceId) => workspaceId !== first.side.workspace);
  await eventsArrived();
  let before = await dump();
  for (const intruder of intruders) {
    const requests = [...operations, ...OUTSIDE].flatMap((operation) =>
      trialsOf(operation, intruder).map((trial) => ({ operation, trial })),
    );
    await inLanes(requests, async ({ operation, trial }) => {
      asked += 1;
      const answer = await send(intruder, operation, trial);
      const wrong = breachOf(intruder, operation, trial, answer);
      if (wrong) failures.push(`${intruder.name}: ${operation.method} ${trial.path} ${wrong}`);
    });
    const after = await dump();
    expect({ [intruder.name]: after }).toEqual({ [intruder.name]: before });
    before = after;
  }
  expect(failures).toEqual([]);
  expect(asked).toBeGreaterThan(1500);
});

const trialsOf = ({ name }: Operation, { own }: Intruder): readonly Trial[] =>
  outsideRoute(name)?.trials(first) ?? WALK[name]?.(first, own) ?? [];

test('what `permissions` of a node say is what is then refused and what is not, for each role and key', async () => {
  const { place, people } = await peopleByRole(first.api, unique('roles'));
  expect(Object.keys(BY_PERMISSION)).toEqual((await first.api.get(`/nodes/${place.point}`)).json.permissions);
  const failures: string[] = [];
  for (const { name, user, key } of people) {
    const api = new Api(first.api.url, key);
    const said: readonly string[] = (await api.get(`/nodes/${place.point}`)).json.permissions;
    const listed = await api.get(`/nodes?filter=_id($eq:${place.point})&attr=permissions`);
    const children = await api.get(`/nodes/children?parentId=${place.source}`);
    const point = children.json.nodes.find(({ _id }: { _id: string }) => _id === place.point);
    expect([name, ...listed.json, point.permissions]).toEqual([name, { permissions: said }, said]);
    const done: string[] = [];
    for (const [permission, ask] of Object.entries(BY_PERMISSION)) {
      const answer = await ask(api, place, user);
      if (answer.status === 403) continue;
      // Another refusal would say nothing of permissions.
      if (answer.status >= 300) failures.push(`${name}: ${permission}: ${answer.text}`);
      done.push(permission);
    }
    // A person who may change values may change their qualities.
    const allowed = new Set([...said, ...(said.includes('EDIT_DATA') ? ['EDIT_QUALITY'] : [])]);
    expect({ [name]: new Set(done) }).toEqual({ [name]: allowed });
  }
  expect(failures).toEqual([]);
  // Lists leave `permissions` out unless they are asked for.
  expect((await first.api.get(`/nodes?filter=_id($eq:${place.point})`)).json[0]).not.toHaveProperty('permissions');
});

test('the document lists no route that is walked beside it, and each of those is asked for with a reason', async () => {
  expect(OUTSIDE.filter(({ name }) => name in WALK || operations.some((operation) => operation.name === name))).toEqual(
    [],
  );
  expect(OUTSIDE.filter(({ reason }) => reason === '')).toEqual([]);
});

test.each(OUTSIDE)('$name without a key, or with one that nobody has, is refused where it needs one', async (route) => {
  for (const key of ['', 'U'.repeat(40)])
    for (const trial of route.trials(first)) {
      const { status, text } = await askOutside({ url: installation.url, key }, route.method, trial);
      expect({ [trial.path]: status === 401 }).toEqual({ [trial.path]: route.needsKey });
      if (route.needsKey) expect(text).not.toContain(first.markers.hidden[0]);
    }
});

/** Events come a moment after their changes, in the same order: the one of a last change stands behind all of them. */
async function eventsArrived(): Promise<void> {
  const name = `Last change of ${first.markers.account[0]}`;
  expect((await first.api.put(`/nodes/${first.side.location}`, { name })).status).toBe(200);
  await until(async () => (await first.api.get('/events?limit=10000')).text.includes(name));
}

/** The breach in an answer; undefined = none. */
function breachOf(intruder: Intruder, operation: Operation, trial: Trial, answer: Reply): string | undefined {
  const expected = statusesOf(intruder, operation, trial);
  if (!expected.includes(answer.status)) {
    return `answered ${answer.status}, expected ${expected.join(' or ')}: ${answer.text.slice(0, 200)}`;
  }
  // Refusals may repeat what the request said.
  const said = `${decodeURIComponent(trial.path)} ${JSON.stringify(trial.body ?? '')}`;
  const leaked = forbiddenTo(intruder).find((marker) => answer.text.includes(marker) && !said.includes(marker));
  return leaked && `answered with ${leaked}: ${answer.text.slice(0, 200)}`;
}

const OPEN = [200, 201, 202, 204, 400, 403, 404];
const REFUSED = [400, 403, 404];

function statusesOf(intruder: Intruder, { method, name }: Operation, { names }: Trial): readonly number[] {
  const isWrite = outsideRoute(name)?.isWrite ?? method !== 'GET';
  if (isWrite && !intruder.mayModify) return [403];
  if (name.startsWith('GET /owners/account/apikeys') && !intruder.mayModify) return [403];
  if (isForAccountLevel(name) && !intruder.isAccountLevel) return [403];
  if (names === 'open' || intruder.kind === 'reader') return OPEN;
  if (names === 'refers') return REFUSED;
  if (names === 'unknown') return [404];
  if (names === 'account') return intruder.kind === 'stranger' ? [404] : [200];
  // Its own account's categories and roles are there for every key.
  return name.includes('/owners/') && intruder.kind === 'limited' ? [200] : [intruder.hiddenStatus];
}

/** Accepts changes of the account, its keys and its usage (docs/reference/authentication.md#api-keys). */
const isForAccountLevel = (name: string): boolean =>
  name.includes('/owners/') && (!name.startsWith('GET ') || /apikeys|usage|webhooks|limits|uses/.test(name));

function forbiddenTo({ kind, isAccountLevel }: Intruder): readonly string[] {
  const { hidden, people, account } = first.markers;
  if (kind === 'stranger') return [...hidden, ...people, ...account];
  return [...(kind === 'limited' ? hidden : []), ...(isAccountLevel ? [] : people)];
}

/** Returns what a stream sends until it has been silent for a while. */
async function beginningOf(api: Api, path: string): Promise<Reply> {
  const stream = await openEventStream(`${api.url}/api/v1${path}`, { 'X-Api-Key': api.key });
  for (let before = -1; before !== stream.state.text.length; ) {
    before = stream.state.text.length;
    await delay(QUIET_MS);
  }
  stream.leave();
  return { status: stream.response.statusCode ?? 0, text: stream.state.text };
}

/** READ_ONLY keys try writes by POST with an override as well. */
async function send({ api, mayModify }: Intruder, { method, name }: Operation, trial: Trial): Promise<Reply> {
  if (outsideRoute(name)) return askOutside(api, method, trial);
  if (name.endsWith('/stream')) return beginningOf(api, trial.path);
  if (mayModify || !['PUT', 'DELETE'].includes(method)) return api.send(method, trial.path, trial.body, trial.headers);
  const overridden = await api.send('POST', trial.path, trial.body, { 'X-HTTP-Method-Override': method });
  return overridden.status === 403 ? api.send(method, trial.path, trial.body) : overridden;
}

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

import type { NodeConfig } from '@catchment/contracts/nodes';
import { transportSettings } from '@catchment/contracts/transports';
import { newObjectId } from '@catchment/ids';
import type { PushSource } from './ports.ts';
import { PushSources } from './push-sources.ts';

const source = (nodeId = newObjectId()) => ({ nodeId, source: {} }) as NodeConfig;
const pushSource = (of: NodeConfig): PushSource => ({
  source: of,
  settings: transportSettings('Sms', { key: 'a-b-c' }),
});

/** Fakes a nodes service that counts requests. */
function known(max?: number) {
  const nodes = { asked: 0, found: undefined as PushSource | undefined, gate: Promise.resolve() };
  const ask = async () => {
    nodes.asked += 1;
    const { found } = nodes;
    await nodes.gate;
    return found;
  };
  const clock = { nowMs: 1e6 };
  return { nodes, clock, sources: new PushSources({ pushSource: ask }, max, () => clock.nowMs) };
}

test('a key is asked for once, also by many at once, and again after its source has changed or is gone', async () => {
  const { nodes, sources } = known();
  const pushed = source();
  nodes.found = pushSource(pushed);
  const find = () => sources.find('Sms', 'a-b-c');
  expect(await Promise.all([find(), find()])).toEqual([nodes.found, nodes.found]);
  sources.learn(source());
  sources.learn({ nodeId: pushed.nodeId } as NodeConfig);
  await find();
  expect(nodes.asked).toBe(1);
  sources.learn(pushed);
  await find();
  sources.forget({ nodeId: pushed.nodeId } as never);
  await find();
  sources.clear();
  await find();
  expect(nodes.asked).toBe(4);
});

test('what was asked before a change is not kept', async () => {
  const { nodes, sources } = known();
  const pushed = source();
  nodes.found = pushSource(pushed);
  const { promise, resolve } = Promise.withResolvers<void>();
  nodes.gate = promise;
  const before = sources.find('Sms', 'a-b-c');
  sources.learn(pushed);
  nodes.found = undefined;
  resolve();
  await before;
  expect(await sources.find('Sms', 'a-b-c')).toBeUndefined();
});

test('keys of two transports differ; a key that nobody has is asked for again soon, any other after a minute', async () => {
  const { nodes, clock, sources } = known();
  expect(await sources.find('Sms', 'a-b-c')).toBeUndefined();
  nodes.found = pushSource(source());
  expect(await sources.find('Sms', 'a-b-c')).toBeUndefined();
  expect(await sources.find('Mqtt', 'a-b-c')).toBe(nodes.found);
  clock.nowMs += 3_001;
  expect(await sources.find('Sms', 'a-b-c')).toBe(nodes.found);
  clock.nowMs += 59_000;
  await sources.find('Sms', 'a-b-c');
  expect(nodes.asked).toBe(3);
  clock.nowMs += 2_000;
  await sources.find('Sms', 'a-b-c');
  expect(nodes.asked).toBe(4);
});

test('no more keys are remembered than fit; a failure is not', async () => {
  const { nodes, sources } = known(2);
  for (const key of ['a', 'b', 'c', 'a']) {
    nodes.found = pushSource(source());
    await sources.find('Sms', key);
  }
  expect(nodes.asked).toBe(4);
  nodes.gate = Promise.reject(new Error('away'));
  await expect(sources.find('Sms', 'd')).rejects.toThrow('away');
  nodes.gate = Promise.resolve();
  expect(await sources.find('Sms', 'd')).toBe(nodes.found);
});

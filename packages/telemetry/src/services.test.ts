import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { runInThisContext } from 'node:vm';
import {
  counter,
  currentService,
  databaseDuration,
  gauge,
  histogram,
  hostServices,
  inService,
  metricsPage,
} from './index.ts';

// The first service has what is reported outside of every service.
hostServices(['nodes', 'alarms']);

async function samples(service: string, name: string): Promise<string[]> {
  const { text } = await metricsPage('', service);
  return text.split('\n').filter((line) => line.startsWith(name));
}
const shown = async (name: string) => ({ nodes: await samples('nodes', name), alarms: await samples('alarms', name) });

/** Defines something as if in a file of a service. */
const definedIn = <T>(service: string, define: () => T): T =>
  runInThisContext('(define) => define()', { filename: `/app/services/${service}/src/store/some-metrics.ts` })(define);

test('a counter counts for the service in which it is called, outside of every one for the first', async () => {
  const letters = counter({ name: 'test_letters_total', help: 'x', labels: ['reader'] });
  inService('nodes', () => letters.add({ reader: 'a' }));
  inService('alarms', () => letters.add({ reader: 'a' }, 5));
  letters.add({ reader: 'a' }, 2);
  expect(await shown('test_letters')).toEqual({
    nodes: ['test_letters_total{reader="a"} 3'],
    alarms: ['test_letters_total{reader="a"} 5'],
  });
});

test.each([
  ['alarms', { nodes: [], alarms: ['test_known_of_alarms_total{to="on"} 0'] }],
  ['nodes', { nodes: ['test_known_of_nodes_total{to="on"} 0'], alarms: [] }],
  ['render', { nodes: [], alarms: [] }],
])(
  'series that are known from the start are shown by the service in whose folder they are defined: %s',
  async (definedBy, expected) => {
    const name = `test_known_of_${definedBy}_total`;
    definedIn(definedBy, () => counter({ name, help: 'x', labels: ['to'], known: [{ to: 'on' }] }));
    expect(await shown(name)).toEqual(expected);
  },
);

test('a counter and a histogram without labels begin with 0 there, and nowhere else', async () => {
  definedIn('alarms', () => {
    counter({ name: 'test_zero_total', help: 'x' });
    histogram({ name: 'test_zero_seconds', help: 'x', buckets: [1] });
  });
  const { nodes, alarms } = await shown('test_zero');
  expect([nodes, alarms]).toEqual([
    [],
    [
      'test_zero_seconds_bucket{le="1"} 0',
      'test_zero_seconds_bucket{le="+Inf"} 0',
      'test_zero_seconds_sum 0',
      'test_zero_seconds_count 0',
      'test_zero_total 0',
    ],
  ]);
});

test('what packages measure for several services is reported by each', async () => {
  const at = { db_system_name: 'postgresql', db_operation_name: 'read' };
  inService('nodes', () => databaseDuration.observe(at, 0.25));
  inService('alarms', () => databaseDuration.observe(at, 3));
  const sums = await shown('db_client_operation_duration_seconds_sum');
  expect([sums.nodes[0]?.split(' ')[1], sums.alarms[0]?.split(' ')[1]]).toEqual(['0.25', '3']);
});

test('a gauge is set for its service', async () => {
  const level = gauge({ name: 'test_level', help: 'x' });
  inService('alarms', () => level.set({}, 7));
  expect(await shown('test_level')).toEqual({ nodes: [], alarms: ['test_level 7'] });
  inService('nodes', () => level.add({}, 1));
  expect(await shown('test_level')).toEqual({ nodes: ['test_level 1'], alarms: ['test_level 7'] });
});

test('a source is asked as the service that registered it, on its page alone, until that service ends it', async () => {
  const open = gauge({ name: 'test_open', help: 'x', labels: ['by'] });
  const source = () => [[{ by: currentService() ?? 'nobody' }, 1]] as const;
  const ends = ['nodes', 'alarms'].map((service) => inService(service, () => open.from(source)));
  expect(await shown('test_open')).toEqual({
    nodes: ['test_open{by="nodes"} 1'],
    alarms: ['test_open{by="alarms"} 1'],
  });
  ends[1]?.();
  expect(await shown('test_open')).toEqual({ nodes: ['test_open{by="nodes"} 1'], alarms: [] });
});

test('each page names its service, has what is true of the process, and is one where scrapes come together', async () => {
  const both = Promise.all([metricsPage('', 'nodes'), metricsPage('', 'alarms'), metricsPage('', 'alarms')]);
  const [nodes, alarms, again] = await both;
  for (const [name, { text }] of Object.entries({ nodes, alarms })) {
    expect(text).toMatch(new RegExp(`^target_info\\{.*service_name="${name}"`, 'm'));
    expect(text).toMatch(/^process_start_time_seconds \d+/m);
    expect(text).toMatch(/^catchment_memory_used_bytes \d+/m);
    expect(text).toContain('\ncatchment_process_services 2\n');
  }
  expect(again).toBe(alarms);
});

test('a page of a service that the process does not have is refused', async () => {
  await expect(metricsPage('', 'render')).rejects.toThrow('the service render is none of this process: nodes, alarms');
});

/** Ways from a call to what comes of it later. */
const WAYS: Readonly<Record<string, () => Promise<string | undefined>>> = {
  promises: async () => {
    await Promise.resolve();
    return currentService();
  },
  timers: () => new Promise((resolve) => setTimeout(() => resolve(currentService()), 1)),
  'the loop': () => new Promise((resolve) => setImmediate(() => resolve(currentService()))),
  'a repeated timer': () =>
    new Promise((resolve) => {
      const timer = setInterval(() => {
        clearInterval(timer);
        resolve(currentService());
      }, 1);
    }),
  'events of an emitter, which belong to whoever emits': async () => {
    const emitter = new EventEmitter();
    const heard = new Promise<string | undefined>((resolve) => emitter.on('x', () => resolve(currentService())));
    setImmediate(() => emitter.emit('x'));
    return heard;
  },
  'sockets of a server, opened by somebody else': async () => {
    const heard = Promise.withResolvers<string | undefined>();
    const server = createServer((socket) => socket.on('data', () => heard.resolve(currentService()))).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const client = inService('nodes', () => connect((server.address() as AddressInfo).port, '127.0.0.1').end('x'));
    const found = await heard.promise;
    client.destroy();
    server.close();
    return found;
  },
};
test.each(Object.entries(WAYS))('a service goes along with %s', async (_what, way) => {
  const [alarms, nodes] = await Promise.all([inService('alarms', way), inService('nodes', way)]);
  expect([alarms, nodes, currentService()]).toEqual(['alarms', 'nodes', undefined]);
});

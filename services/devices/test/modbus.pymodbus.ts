// These tests ask a device that we did not write: `npm run test:modbus -w services/devices`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import type { PendingControl, SessionProgress } from '../src/acquisition/usecases/session-ports.ts';
import { modbusDriver } from '../src/modbus/index.ts';

const python = process.env.CATCHMENT_TEST_PYTHON ?? 'python3';
const server = spawn(python, [path.join(import.meta.dirname, 'modbus-server.py')], {
  stdio: ['pipe', 'pipe', 'ignore'],
});
let port = 0;
beforeAll(async () => {
  const [text] = (await once(server.stdout, 'data')) as [Buffer];
  port = Number(text.toString());
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.stdin.end();
  await ended;
});

async function session(unitId: number, registers: readonly object[], controls: readonly PendingControl[] = []) {
  const values: Record<string, number> = {};
  const events: string[] = [];
  const controlled: (string | undefined)[] = [];
  const progress: SessionProgress = {
    step: async () => {},
    facts: async () => {},
    remember: async () => {},
    memory: undefined,
    controlled: async (_control, refusal) => void controlled.push(refusal),
    event: async (_level, message) => void events.push(message),
    write: async (document) => {
      const { header, data } = document as {
        header: { columns: Record<string, { series: string }> };
        data: [{ f: Record<string, { v: number }> }];
      };
      for (const [n, { v }] of Object.entries(data[0].f)) values[header.columns[n]?.series ?? ''] = v;
    },
  };
  const pipe = connect(port, '127.0.0.1').on('error', () => {});
  await once(pipe, 'connect');
  const source = { attributes: { unitId, registers } } as never;
  const { signal } = new AbortController();
  await modbusDriver()
    .run(pipe, { source, controls, collects: true, progress, now: Date.now, signal })
    .finally(() => pipe.destroy());
  return { values, events, controlled };
}
const register = (series: string, address: number, type: string, more: object = {}) => ({
  series,
  address,
  type,
  table: 'HOLDING',
  wordOrder: 'BIG',
  ...more,
});

test('every table and type', async () => {
  const { values, events } = await session(5, [
    register('a', 0, 'UINT16'),
    register('f', 1, 'FLOAT32'),
    register('low', 3, 'INT32', { wordOrder: 'LITTLE' }),
    register('u', 5, 'UINT64'),
    register('i', 4, 'INT16', { table: 'INPUT' }),
    register('c', 2, 'BOOLEAN', { table: 'COIL' }),
    register('d', 2, 'BOOLEAN', { table: 'DISCRETE' }),
    register('far', 250, 'UINT16'),
  ]);
  expect(values).toEqual({ a: 7, f: 12.5, low: -2, u: 1_234_567_890_123, i: -3, c: 1, d: 0, far: 250 });
  expect(events).toEqual([]);
});

test('an address that the device has not', async () => {
  const { values, events } = await session(5, [register('a', 0, 'UINT16'), register('z', 5_000, 'UINT16')]);
  expect(values).toEqual({ a: 7 });
  expect(events).toEqual(['Registers not read: z (HOLDING 5000): illegal data address']);
});

test('control values are read back as they were written', async () => {
  const registers = [
    register('f', 100, 'FLOAT64', { wordOrder: 'LITTLE' }),
    register('w', 110, 'INT16'),
    register('c', 7, 'BOOLEAN', { table: 'COIL' }),
    register('far', 6_000, 'UINT16'),
  ];
  const control = (series: string, value: number): PendingControl => ({
    nodeId: 'n',
    revision: 1,
    name: series,
    family: 'NUMBER',
    series,
    value,
  });
  const controls = [control('f', -0.1), control('w', -5), control('c', 1), control('far', 1)];
  const { values, controlled } = await session(5, registers, controls);
  expect(controlled).toEqual([undefined, undefined, undefined, 'illegal data address']);
  expect(values).toEqual({ f: -0.1, w: -5, c: 1 });
});

test('a unit that is not there', async () => {
  await expect(session(9, [register('a', 0, 'UINT16')])).rejects.toThrow(/device failure/);
});

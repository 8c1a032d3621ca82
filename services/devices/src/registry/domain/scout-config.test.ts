import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ShownDevice } from './device.ts';
import { deviceView } from './device-view.ts';
import { scoutConfigOf, scoutConfigSchema } from './scout-config.ts';

const ADDRESS = { host: 'h.example', port: 4331 };
const matches = new Ajv2020({ strict: false, validateFormats: false }).compile(scoutConfigSchema());

test.each([
  ['nothing', {}],
  ['null for all', { schedule: null, logLevel: null, interfaces: null, apn: null, simPin: null }],
  ['a further interface', { interfaces: { COM2: { _class: 'io.svc.models.device.config.SerialInterface' } } }],
  ['secrets', { simPin: '1234', apn: { pass: 'p' } }],
  ['a host of its own', { connection: { host: '192.0.2.1', port: 1 } }],
])('a configuration of %s is taken, as the schema says, and its view too', (_what, given) => {
  expect([matches(given), matches.errors]).toEqual([true, null]);
  const config = scoutConfigOf(given, ADDRESS);
  const view = deviceView({ config, createdMs: 0, lastConnectedMs: null } as unknown as ShownDevice, 'io.svc').config;
  expect([matches(view), matches.errors]).toEqual([true, null]);
  expect(scoutConfigOf(config, ADDRESS)).toEqual(config);
});

test.each([
  ['utcOffset', { utcOffset: '1' }],
  ['simPin', { simPin: '12' }],
  ['schedule', { schedule: [] }],
  ['schedule.scheduleType', { schedule: { scheduleType: 'DAILY' } }],
  ['schedule.statusIntervalSeconds', { schedule: { statusIntervalSeconds: 0 } }],
  ['connection.port', { connection: { port: 70_000 } }],
  ['interfaces.COM1.speed', { interfaces: { COM1: { speed: 1000, _class: 'SerialInterface' } } }],
  ['interfaces.com1', { interfaces: { com1: {} } }],
  ['gpsEnabled', { gpsEnabled: 'yes' }],
])('a wrong %s is refused, as the schema says', (name, given) => {
  expect(() => scoutConfigOf(given, ADDRESS)).toThrow(`config.${name}: `);
  expect(matches(given)).toBe(false);
});

test('an offset lies within its interval', () => {
  const schedule = { dataIntervalSeconds: 60, dataIntervalOffsetSeconds: 60 };
  expect(() => scoutConfigOf({ schedule }, ADDRESS)).toThrow(/dataIntervalOffsetSeconds: .* from -1 to 59/);
});

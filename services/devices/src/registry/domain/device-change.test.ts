import type { ShownDevice } from './device.ts';
import { changedDevice, readDeviceChange } from './device-change.ts';
import { scoutConfigOf } from './scout-config.ts';

const address = { host: 'h.example', port: 4331 };
const device = {
  deviceId: 'd',
  deviceClass: 'ScoutDevice',
  phoneNumber: '+4512345678',
  config: scoutConfigOf({ simPin: '1234', apn: { user: 'u', pass: 'p' }, logLevel: 'DEBUG' }, address),
  configRevision: 3,
} as unknown as ShownDevice;

const read = (body: unknown) => readDeviceChange(Buffer.from(JSON.stringify(body)));
const changed = (body: unknown) => changedDevice(device, read(body), address);

test('what is absent stays', () => {
  expect(changed({})).toEqual(device);
  expect(read({})).toEqual({ secret: undefined, phoneNumber: undefined, config: undefined });
});

test.each([
  [
    'one attribute',
    { apn: { host: 'apn.example' } },
    { apn: { host: 'apn.example', user: 'u', pass: 'p' }, simPin: '1234' },
  ],
  ['null, the default', { logLevel: null }, { logLevel: 'INFO', simPin: '1234' }],
  [
    'an interface as it is shown',
    { interfaces: { COM1: { speed: 1200, _class: 'x.models.device.config.SerialInterface' } } },
    { interfaces: { COM1: { speed: 1200, parity: 'none' } } },
  ],
])('config takes %s, and its revision grows', (_what, config, expected) => {
  expect(changed({ config })).toMatchObject({ config: expected, configRevision: 4 });
});

test.each([
  ['secrets as they are shown', { simPin: '********', apn: { pass: '********' } }],
  ['the same values', { logLevel: 'DEBUG' }],
])('%s change nothing', (_what, config) => {
  expect(changed({ config })).toEqual(device);
});

test('null takes back the whole configuration, the phone number and the secret', () => {
  expect(changed({ config: null, phoneNumber: null })).toMatchObject({
    config: scoutConfigOf({}, address),
    phoneNumber: null,
  });
  expect(read({ secret: null })).toMatchObject({ secret: null });
  expect(read({ secret: '********' })).toMatchObject({ secret: undefined });
});

test.each([
  [{ config: 7 }, 'config: must be an object'],
  [{ config: { logLevel: 'LOUD' } }, 'config.logLevel: '],
  [{ config: { apn: 7 } }, 'config.apn: must be an object'],
  [{ phoneNumber: '123' }, 'phoneNumber: '],
  [{ secret: 'short' }, 'secret: '],
  [[], 'body: must be a JSON object'],
])('refuses %j', (body, message) => {
  expect(() => changed(body)).toThrow(message);
});

test('class Device has no config', () => {
  const plain = { ...device, config: null };
  expect(() => changedDevice(plain, read({ config: {} }), address)).toThrow('config: must not be given');
  expect(changedDevice(plain, read({ config: null }), address)).toEqual(plain);
});

import { isAtLeast, isUsable, parseVersion } from './versions.ts';

test.each([
  ['nats-server: v2.9.10', '2.9.10'],
  ['nats-server: v2.11.0-RC.1', '2.11.0'],
  ['postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)', '15.18'],
  ['postgres (PostgreSQL) 17', '17'],
  ['InfluxDB v1.6.7~rc0 (git: unknown unknown)', '1.6.7'],
  ['InfluxDB v2.7.1 (git: 407fa622e9) build_date: 2023-04-28', '2.7.1'],
  ['no version here', undefined],
  ['', undefined],
])('the version of %j is %s', (printed, version) => {
  expect(parseVersion(printed)).toBe(version);
});

test.each([
  ['2.9.10', '2.9', true],
  ['2.10.0', '2.9', true],
  ['2.8.9', '2.9', false],
  ['15', '15', true],
  ['14.99', '15', false],
  ['15', '15.0.1', false],
])('%s is at least %s: %s', (version, minimum, expected) => {
  expect(isAtLeast(version, minimum)).toBe(expected);
});

test.each([
  ['influx', '1.6.7', true],
  ['influx', '2.7.1', false], // other configuration file, other API tokens
  ['influx', '1.5.4', false],
  ['nats', '2.9.0', true],
  ['postgres', '14.9', false],
] as const)('%s %s can be run here: %s', (kind, version, expected) => {
  expect(isUsable(kind, version)).toBe(expected);
});

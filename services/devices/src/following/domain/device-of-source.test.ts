import { scoutConfigOf } from '../../registry/index.ts';
import { isRefusalNews, mayUse, newScheduleType } from './device-of-source.ts';

const KEY = '123456789012';

test.each([
  ['of no Workspace', null, undefined, true],
  ['of the Workspace of the source', 'here', undefined, true],
  ['of another Workspace', 'there', undefined, false],
  ['that the source had when it left that Workspace', 'there', { deviceKey: KEY, workspaceId: 'there' }, true],
  ['that another source has there', 'there', { deviceKey: '210987654321', workspaceId: 'there' }, false],
  ['that stayed in a third Workspace', 'there', { deviceKey: KEY, workspaceId: 'elsewhere' }, false],
])('a source may use a device %s (%s, before: %j): %s', (_what, workspaceId, before, expected) => {
  expect(mayUse({ deviceKey: KEY, workspaceId }, { workspaceId: 'here' }, before)).toBe(expected);
});

test.each([
  ['when it is new', undefined, true],
  ['when it has named another device before', { deviceKey: null, workspaceId: 'here' }, true],
  ['when it has moved', { deviceKey: KEY, workspaceId: 'there' }, true],
  ['but not again when something else changes', { deviceKey: KEY, workspaceId: 'here' }, false],
])('the refusal of a device is an event of the source %s', (_what, before, expected) => {
  expect(isRefusalNews({ deviceKey: KEY, workspaceId: 'here' }, before)).toBe(expected);
});

const SCOUT = scoutConfigOf({ schedule: { scheduleType: 'SERVER' } }, { host: 'example.org', port: 4_331 });
test.each([
  ['of its oldest source', SCOUT, { scheduleType: 'REMOTE' }, 'REMOTE'],
  ['only where it is another one', SCOUT, { scheduleType: 'SERVER' }, undefined],
  ['that a device may have', SCOUT, { scheduleType: 'MOON' }, undefined],
  ['while a source uses it', SCOUT, undefined, undefined],
  ['where it has a configuration', null, { scheduleType: 'REMOTE' }, undefined],
])('a device takes over the schedule type %s', (_what, config, oldest, expected) => {
  expect(newScheduleType({ config }, oldest)).toBe(expected);
});

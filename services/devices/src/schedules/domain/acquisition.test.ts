import { type AcquiredSource, after, newAcquisition, reconfigured, sessionKind } from './acquisition.ts';

const NOW = Date.parse('2024-07-01T10:20:00Z');
const HOUR = 3_600_000;
const NEXT = Date.parse('2024-07-01T11:00:00Z');
const source = (over: Partial<AcquiredSource> = {}): AcquiredSource => ({
  sourceId: 's',
  ownerId: 'o',
  workspaceId: 'w',
  sourceClass: 'source.data.TextParser',
  name: 'Files',
  transport: 'FtpDownload',
  deviceKey: null,
  isEnabled: true,
  scheduleType: 'SERVER',
  writeMode: '',
  schedule: { intervalMs: HOUR, offsetMs: 0 },
  nodeRevision: 1,
  ...over,
});

test('a source with a schedule waits for its next run, one without waits for somebody', () => {
  expect(newAcquisition(source(), NOW)).toMatchObject({ status: 'REST', nextMs: NEXT });
  expect(newAcquisition(source({ scheduleType: 'NONE' }), NOW)).toMatchObject({ status: 'REST', nextMs: null });
  expect(newAcquisition(source({ isEnabled: false }), NOW)).toMatchObject({ status: 'DISABLED', nextMs: null });
});

test('a source whose data comes by itself has no runs, and neither has one whose device keeps the schedule', () => {
  expect(newAcquisition(source({ transport: 'Mqtt' }), NOW).nextMs).toBeNull();
  const scout = { transport: 'Scout', deviceKey: '123456789012', sourceClass: 'source.data.CampbellPakBus' };
  expect(newAcquisition(source({ ...scout, scheduleType: 'REMOTE' }), NOW).nextMs).toBeNull();
  expect(newAcquisition(source(scout), NOW).nextMs).toBe(NEXT);
});

test('a run that falls into a session is skipped', () => {
  const queued = after(newAcquisition(source(), NOW), 'due', NEXT);
  expect(queued).toMatchObject({ status: 'QUEUED', collects: true });
  const downloading = queued && { ...queued, status: 'DOWNLOADING' as const };
  const rest = downloading && after(downloading, 'nothing new', NEXT + HOUR + 1);
  expect(rest).toMatchObject({ status: 'REST', nextMs: NEXT + 2 * HOUR, collects: false });
});

test('FAILED stays until the next attempt, which the schedule makes', () => {
  const failed = after({ ...newAcquisition(source(), NOW), status: 'CONNECTING', retries: 3 }, 'failed', NOW);
  expect(failed).toMatchObject({ status: 'FAILED', nextMs: NEXT, retries: 0 });
});

test('disabling drops the session and its retries, enabling waits for the next run', () => {
  const running = {
    ...newAcquisition(source(), NOW),
    status: 'RETRYING' as const,
    retries: 2,
    leaseId: 'l',
    instanceId: 'i',
  };
  const disabled = reconfigured(running, source({ isEnabled: false, nodeRevision: 2 }), NOW);
  expect(disabled).toMatchObject({ status: 'DISABLED', nextMs: null, retries: 0, leaseId: null, instanceId: null });
  const enabled = reconfigured(disabled, source({ nodeRevision: 3 }), NOW);
  expect(enabled).toMatchObject({ status: 'REST', nextMs: NEXT, nodeRevision: 3 });
});

test('a new schedule counts at rest and after a failure, and does not disturb a session', () => {
  const every10 = source({ schedule: { intervalMs: 600_000, offsetMs: 0 }, nodeRevision: 2 });
  const rest = newAcquisition(source(), NOW);
  expect(reconfigured(rest, every10, NOW).nextMs).toBe(NOW + 600_000);
  expect(reconfigured({ ...rest, status: 'FAILED' }, every10, NOW)).toMatchObject({
    status: 'FAILED',
    nextMs: NOW + 600_000,
  });
  const running = { ...rest, status: 'CONNECTING' as const, nextMs: null, leaseId: 'l' };
  expect(reconfigured(running, every10, NOW)).toMatchObject({ status: 'CONNECTING', nextMs: null, leaseId: 'l' });
  expect(reconfigured(rest, source({ name: 'Other', nodeRevision: 2 }), NOW + 1)).toMatchObject({ nextMs: NEXT });
});

test.each([
  ['FtpDownload', 'source.data.TextParser', 'FILES'],
  ['SftpDownload', 'source.data.Jts', 'FILES'],
  ['TcpClient', 'source.data.CampbellPakBus', 'LOGGER'],
  ['Scout', 'source.data.Jts', 'NONE'],
  ['Mqtt', 'source.data.Jts', 'NONE'],
  ['TcpServer', 'source.data.WaterLog', 'NONE'],
  ['None', 'source.data.TextParser', 'NONE'],
] as const)('%s of %s: %s', (transport, sourceClass, kind) => {
  expect(sessionKind({ transport, sourceClass })).toBe(kind);
});

import { transportSettings } from '@catchment/contracts/transports';
import { createLogger } from '@catchment/telemetry';
import { FailedIdents } from '../../listening/usecases/failed-idents.ts';
import type { SourceEvent } from '../../sources/domain/source-event.ts';
import type { PushSource } from '../../sources/usecases/ports.ts';
import { UploadAdmission } from './admit-upload.ts';

const SOURCE = {
  nodeId: 's1',
  ownerId: 'o1',
  workspaceId: 'w1',
  class: 'source.data.TextParser',
  source: { isEnabled: true },
};

/** Opens a login check with a clock, and records what it reports to the source. */
function admissionTo(settings: PushSource['settings'], maxFailures = 100) {
  const clock = { nowMs: 1e6 };
  const reported: string[] = [];
  const now = () => clock.nowMs;
  const found = { source: SOURCE, settings } as unknown as PushSource;
  const recordEvents = async (events: readonly SourceEvent[]) =>
    void reported.push(...events.map(({ message }) => message));
  const uploads = new UploadAdmission({
    pushSources: { find: async (_transport, key) => (key === 'a-b-c' ? found : undefined) },
    store: { transaction: (work) => work({ recordEvents } as never) },
    failures: new FailedIdents({ maxFailures, failureWindowSeconds: 300 }, now),
    log: createLogger('test', { level: 'silent' }),
    now,
    wait: async () => {},
  });
  const admit = (password?: string, address = '192.0.2.1', key = 'a-b-c') =>
    uploads.admit({ transport: 'HttpUpload', key, password, address }).then(
      () => 'in',
      (error: { kind: string }) => error.kind,
    );
  return { admit, reported, clock };
}
const http = (fields: object) => transportSettings('HttpUpload', { key: 'a-b-c', authentication: 'NONE', ...fields });

test('a password is needed where the source has one, and no other will do', async () => {
  const basic = admissionTo(http({ authentication: 'BASIC', password: 'right' }));
  expect([await basic.admit(), await basic.admit(''), await basic.admit('wrong'), await basic.admit('right')]).toEqual([
    'unauthenticated',
    'unauthenticated',
    'unauthenticated',
    'in',
  ]);
  const none = admissionTo(http({ password: 'old' }));
  expect([await none.admit(), await none.admit('anything')]).toEqual(['in', 'in']);
  const broken = admissionTo(http({ authentication: 'BASIC' }));
  expect([await broken.admit(''), await broken.admit()]).toEqual(['unauthenticated', 'unauthenticated']);
});

test('a source hears of the same refusal once in ten minutes', async () => {
  const { admit, reported, clock } = admissionTo(http({ ipWhitelist: ['198.51.100.0/24'] }));
  const refuse = async (address: string) => expect(await admit(undefined, address)).toBe('permission_denied');
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await refuse(address);
  expect(await admit(undefined, '198.51.100.9')).toBe('in');
  const message = (address: string) => `Refused upload from ${address}: the address is not in ipWhitelist`;
  expect(reported).toEqual([message('192.0.2.1'), message('192.0.2.2')]);
  clock.nowMs += 10 * 60_000 + 1_000;
  await refuse('192.0.2.1');
  expect(reported.length).toBe(3);
});

test('an address that guesses is refused unchecked in the end, and those that were right from there go on', async () => {
  const { admit } = admissionTo(http({ authentication: 'BASIC', password: 'right' }), 3);
  expect(await admit('right')).toBe('in');
  for (const key of ['x', 'y', 'z']) expect(await admit('right', '192.0.2.1', key)).toBe('not_found');
  // Guesses take turns, one a second; the clock stands still, so the seventeenth would wait too long.
  const guesses = Array.from({ length: 20 }, () => admit('guess'));
  expect(await admit('right')).toBe('in');
  expect((await Promise.all(guesses.slice(16))).every((kind) => kind === 'resource_exhausted')).toBe(true);
  expect(await admit('guess', '192.0.2.2')).toBe('unauthenticated');
});

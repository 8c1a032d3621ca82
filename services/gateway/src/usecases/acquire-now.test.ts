import { DomainError, notPermitted } from '@catchment/errors';
import { acquireNow } from './acquire-now.ts';

const none = { devices: refusal('NOT_ACQUIRABLE'), processing: refusal('NO_PROGRAM') };
function refusal(reason: 'NOT_ACQUIRABLE' | 'NO_PROGRAM' | 'SOURCE_REMOTE'): DomainError {
  return new DomainError('failed_precondition', reason, reason);
}

/** @returns what processing was asked for */
async function acquired(fails: { devices?: Error; processing?: Error }) {
  const asked: unknown[] = [];
  const devices = { acquire: async () => failing(fails.devices) };
  const processing = {
    acquire: async (request: unknown) => {
      asked.push(request);
      return failing(fails.processing);
    },
  };
  await acquireNow({ devices, processing } as never, 'a', {} as never);
  return asked;
}
function failing(error: Error | undefined) {
  if (error) throw error;
  return {};
}

test('a source with a transport and programs has both done, and one event', async () => {
  expect(await acquired({})).toEqual([{ nodeRef: 'a', isRecorded: true }]);
});
test('a source without programs is acquired', async () => {
  expect(await acquired({ processing: none.processing })).toEqual([{ nodeRef: 'a', isRecorded: true }]);
});
test('a source that cannot be asked has its programs run, with their own event', async () => {
  expect(await acquired({ devices: none.devices })).toEqual([{ nodeRef: 'a', isRecorded: false }]);
});
test('a source with neither is refused', async () => {
  await expect(acquired(none)).rejects.toMatchObject({
    kind: 'failed_precondition',
    message: 'NOT_ACQUIRABLE; NO_PROGRAM',
  });
});
test.each([[refusal('SOURCE_REMOTE')], [notPermitted()]])(
  'what devices refuse otherwise is refused: %s',
  async (error) => {
    await expect(acquired({ devices: error })).rejects.toBe(error);
  },
);

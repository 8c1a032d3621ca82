import { type ErrorKind, received } from '@catchment/errors';
import { DEFAULT_QUALITY, type QualityOwners, readQuality } from './index.ts';

const refuse = (kind: ErrorKind) => () => Promise.reject(received({ kind, reason: 'REASON', message: 'text' }));
const document = { json: Buffer.from(JSON.stringify(DEFAULT_QUALITY)) };
const owners = (of: Partial<QualityOwners<undefined>>): QualityOwners<undefined> => ({
  getQualitySettings: refuse('internal'),
  getQuality: refuse('internal'),
  ...of,
});
const read = (of: Partial<QualityOwners<undefined>>) => readQuality(owners(of), { ownerId: 'a' }, undefined);

test('settings come in fields', async () => {
  const message = { excluded: ['BAD'], unspecified: 'GOOD', unknown: 'BAD', codes: [] };
  expect(await read({ getQualitySettings: async () => message })).toEqual(message);
});

test('while an update runs, nodes of the version before is asked as it knows it', async () => {
  const of = { getQualitySettings: refuse('unimplemented'), getQuality: async () => document };
  expect(await read(of)).toEqual(DEFAULT_QUALITY);
});

test('another failure is reported', async () => {
  const of = { getQualitySettings: refuse('unavailable'), getQuality: async () => document };
  await expect(read(of)).rejects.toMatchObject({ kind: 'unavailable' });
});

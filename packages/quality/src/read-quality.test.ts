import { type ErrorKind, received } from '@catchment/errors';
import { type QualityOwners, readQuality } from './index.ts';

const refuse = (kind: ErrorKind) => () => Promise.reject(received({ kind, reason: 'REASON', message: 'text' }));
const owners = (of: Partial<QualityOwners<undefined>>): QualityOwners<undefined> => ({
  getQualitySettings: refuse('internal'),
  ...of,
});
const read = (of: Partial<QualityOwners<undefined>>) => readQuality(owners(of), { ownerId: 'a' }, undefined);

test('settings come in fields', async () => {
  const message = { excluded: ['BAD'], unspecified: 'GOOD', unknown: 'BAD', codes: [] };
  expect(await read({ getQualitySettings: async () => message })).toEqual(message);
});

test('another failure is reported', async () => {
  const of = { getQualitySettings: refuse('unavailable') };
  await expect(read(of)).rejects.toMatchObject({ kind: 'unavailable' });
});

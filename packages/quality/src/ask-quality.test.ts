import { type ErrorKind, received } from '@catchment/errors';
import { askQuality, DEFAULT_QUALITY, type QualityOwners } from './index.ts';

const refuse = (kind: ErrorKind) => () => Promise.reject(received({ kind, reason: 'REASON', message: 'text' }));
const document = { json: Buffer.from(JSON.stringify(DEFAULT_QUALITY)) };
const owners = (of: Partial<QualityOwners<undefined>>): QualityOwners<undefined> => ({
  getQualitySettings: refuse('internal'),
  getQuality: refuse('internal'),
  ...of,
});
const ask = (of: Partial<QualityOwners<undefined>>) => askQuality(owners(of), { ownerId: 'a' }, undefined);

test('settings come in fields', async () => {
  const message = { excluded: ['BAD'], unspecified: 'GOOD', unknown: 'BAD', codes: [] };
  expect(await ask({ getQualitySettings: async () => message })).toEqual(message);
});

test('while an update runs, nodes of the version before is asked as it knows it', async () => {
  const of = { getQualitySettings: refuse('unimplemented'), getQuality: async () => document };
  expect(await ask(of)).toEqual(DEFAULT_QUALITY);
});

test('another failure is told', async () => {
  const of = { getQualitySettings: refuse('unavailable'), getQuality: async () => document };
  await expect(ask(of)).rejects.toMatchObject({ kind: 'unavailable' });
});

import { argon2Sync } from 'node:crypto';
import { findPassword, hashPassword, saltOf, verifyPassword } from './password-hash.ts';

test('a password is known again by its hash, which differs each time and holds nothing of it', async () => {
  const [hash, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(hash).not.toBe(other);
  expect(await verifyPassword('correct horse', hash)).toBe(true);
  expect(await verifyPassword('correct horse', other)).toBe(true);
  expect(await verifyPassword('correct hors', hash)).toBe(false);
});

test('the cost is part of the hash: it can be raised later without losing anybody', async () => {
  const altered = (await hashPassword('correct horse')).replace('m=19456', 'm=64');
  expect(await verifyPassword('correct horse', altered)).toBe(false);
  const salt = Buffer.alloc(16, 1);
  const tag = argon2Sync('argon2id', {
    message: 'correct horse',
    nonce: salt,
    parallelism: 1,
    tagLength: 32,
    memory: 64,
    passes: 3,
  });
  const cheap = `$argon2id$v=19$m=64,t=3,p=1$${salt.toString('base64')}$${tag.toString('base64')}`;
  expect(await verifyPassword('correct horse', cheap.replaceAll(/=+(?=\$|$)/g, ''))).toBe(true);
});

test.each([undefined, '', '$2b$10$abc', '$argon2id$v=19$m=1,t=1$x$y'])(
  'nothing matches what is no hash: %p',
  async (stored) => {
    expect(await verifyPassword('anything at all', stored)).toBe(false);
  },
);

test('the profiles of one e-mail share a salt, and the password is found among them', async () => {
  const first = await hashPassword('correct horse');
  const others = await Promise.all(
    ['second password', 'correct horse'].map((password) => hashPassword(password, first)),
  );
  const stored = [first, ...others];
  expect(new Set(stored.map(saltOf)).size).toBe(1);
  expect(await findPassword('correct horse', stored)).toEqual([0, 2]);
  expect(await findPassword('second password', stored)).toEqual([1]);
  expect(await findPassword('neither of them', stored)).toEqual([]);
});

test('of profiles with different salts those of three are tried', async () => {
  const stored = await Promise.all(Array.from({ length: 4 }, () => hashPassword('correct horse')));
  expect(await findPassword('correct horse', stored)).toEqual([0, 1, 2]);
});

test('a salt of another cost is not taken over', async () => {
  const cheap = (await hashPassword('correct horse')).replace('m=19456', 'm=64');
  expect(saltOf(await hashPassword('correct horse', cheap))).not.toContain(saltOf(cheap)?.slice(-22));
});

test('many at once all get their answer', async () => {
  const stored = await hashPassword('correct horse');
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => verifyPassword(i % 2 ? 'no' : 'correct horse', stored)),
  );
  expect(answers.filter(Boolean)).toHaveLength(6);
});

test('a flood is turned away instead of piling up', async () => {
  const stored = await hashPassword('correct horse');
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => verifyPassword('correct horse', stored)));
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(80 - 63);
  expect(await verifyPassword('correct horse', stored)).toBe(true);
});

import { isSameSecret, selectorOf } from '../domain/secret.ts';
import { hashOfMade, mayBeMade, newSalt, newSecret, SecretHasher } from './secret-hasher.ts';

const given = { deviceKey: '356938035643809', secret: 'correct horse' };

test('a secret with one salt has one hash, of which its selector is the beginning', async () => {
  const hasher = new SecretHasher();
  const salt = newSalt();
  const [first, same, other] = await Promise.all(
    ['a secret', 'a secret', 'b secret'].map((it) => hasher.hash(it, async () => salt)),
  );
  expect(first).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
  expect([isSameSecret(first!, same!), isSameSecret(first!, other!), isSameSecret('', first!)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(first).toContain(`$${selectorOf(first!)}`);
  expect(first).not.toBe(await hasher.hash('a secret', async () => newSalt()));
});

test('no derivation is made for a secret that was right, until it is forgotten', () => {
  const hasher = new SecretHasher();
  hasher.remember(given, 'hash');
  expect(hasher.remembered(given)).toBe('hash');
  expect(hasher.remembered({ ...given, secret: 'wrong horse' })).toBeUndefined();
  expect(hasher.remembered({ ...given, deviceKey: '356938035643817' })).toBeUndefined();
  hasher.forget(given);
  expect(hasher.remembered(given)).toBeUndefined();
});

test('few derivations run at once, some wait, and the rest is refused at once', async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const hasher = new SecretHasher(async () => {
    most = Math.max(most, ++running);
    await gate.promise;
    running -= 1;
    return Buffer.alloc(32);
  });
  const waiting = Array.from({ length: 502 }, () => hasher.hash('a secret', async () => undefined));
  await expect(hasher.hash('a secret', async () => undefined)).rejects.toMatchObject({ kind: 'unavailable' });
  gate.resolve();
  await Promise.all(waiting);
  expect([most, running]).toEqual([2, 0]);
});

test('secrets are long and random', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{32}$/);
});

test('a secret that was made has a hash of its own kind with each salt', async () => {
  const [secret, salt] = [newSecret(), newSalt()];
  const hash = hashOfMade(secret, salt);
  expect(hash).toMatch(/^sha256\$[\w-]{22}\$[\w-]{43}$/);
  expect(hashOfMade(secret, salt)).toBe(hash);
  expect(hashOfMade(newSecret(), salt)).not.toBe(hash);
  expect(isSameSecret(hash, hashOfMade(secret, newSalt()))).toBe(false);
  expect(isSameSecret(hash, await new SecretHasher().hash(secret, async () => salt))).toBe(false);
  expect(mayBeMade(secret)).toBe(true);
  for (const chosen of ['correct horse', `${secret}x`, secret.slice(1), 'ü'.repeat(32)])
    expect(mayBeMade(chosen)).toBe(false);
});

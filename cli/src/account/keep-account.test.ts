import { DomainError, unavailable } from '@catchment/errors';
import { keepAccount } from './keep-account.ts';

const ACCOUNT = { ownerId: 'o', slug: 's', administrationKey: 'a'.repeat(40), defaultKey: 'd'.repeat(40) };
const KEPT = { 'administration-key': ACCOUNT.administrationKey, 'default-key': ACCOUNT.defaultKey, 'owner-id': 'o' };
const pause = async () => {};

function memoryStore(content: Record<string, string> = {}, failures = 0) {
  let left = failures;
  return {
    content,
    ensure: async () => Object.keys(content),
    add: async (texts: Readonly<Record<string, string>>) => {
      left -= 1;
      if (left >= 0) throw new Error('ECONNRESET');
      Object.assign(content, texts);
    },
  };
}

function creating(...failures: Error[]) {
  let calls = 0;
  return {
    calls: () => calls,
    create: async () => {
      calls += 1;
      const failure = failures.shift();
      if (failure) throw failure;
      return ACCOUNT;
    },
  };
}

test('an account is created once and its keys are kept', async () => {
  const store = memoryStore();
  const { create, calls } = creating();
  expect(await keepAccount({ store, create, pause })).toBe(ACCOUNT);
  expect(store.content).toEqual(KEPT);
  expect(await keepAccount({ store, create, pause })).toBeUndefined();
  expect(calls()).toBe(1);
});

test('an installation that is not there yet is waited for', async () => {
  const store = memoryStore();
  const { create, calls } = creating(unavailable('PEER_UNAVAILABLE'), unavailable('PEER_UNAVAILABLE'));
  await keepAccount({ store, create, pause });
  expect([calls(), store.content]).toEqual([3, KEPT]);
});

test('keys that could not be stored are stored later, without another account', async () => {
  const store = memoryStore({}, 3);
  const { create, calls } = creating();
  await keepAccount({ store, create, pause });
  expect([calls(), store.content]).toEqual([1, KEPT]);
});

test('a wrong argument is told at once', async () => {
  const wrong = new DomainError('invalid_argument', 'EMAIL', 'email: must be an address');
  const { create, calls } = creating(wrong);
  await expect(keepAccount({ store: memoryStore(), create, pause })).rejects.toBe(wrong);
  expect(calls()).toBe(1);
});

test('a store that may not be written stops it before there is an account', async () => {
  const { create, calls } = creating();
  const store = { ...memoryStore(), ensure: () => Promise.reject(new Error('forbidden')) };
  await expect(keepAccount({ store, create, pause })).rejects.toThrow('forbidden');
  expect(calls()).toBe(0);
});

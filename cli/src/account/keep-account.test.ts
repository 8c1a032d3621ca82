import { DomainError, unavailable } from '@catchment/errors';
import { keepAccount } from './keep-account.ts';

const KEY = /^[A-Za-z0-9]{40}$/;
const waiting = { limitMs: 60_000, say: () => {}, pause: async () => {} };

function memoryStore(content: Record<string, string> = {}, failures = 0) {
  let left = failures;
  const add = async (texts: Readonly<Record<string, string>>) => {
    Object.assign(content, texts);
  };
  return {
    content,
    read: async () => ({ ...content }),
    addIfUnchanged: add,
    add: async (texts: Readonly<Record<string, string>>) => {
      left -= 1;
      if (left >= 0) throw new Error('ECONNRESET');
      await add(texts);
    },
  };
}

type Keys = { administrationKey: string; defaultKey: string };

/** Stands for the nodes service: one account for the same keys. `failures` come first. */
function creating(...failures: Error[]) {
  const accounts = new Map<string, string>();
  let calls = 0;
  return {
    accounts,
    calls: () => calls,
    create: async (keys: Keys) => {
      calls += 1;
      const failure = failures.shift();
      if (failure) throw failure;
      const isNew = !accounts.has(keys.administrationKey);
      if (isNew) accounts.set(keys.administrationKey, `owner${accounts.size + 1}`);
      const ownerId = accounts.get(keys.administrationKey) as string;
      return { ownerId, slug: 's', ...keys, ownerActivateUrl: isNew ? 'https://link' : undefined };
    },
  };
}

test('an account is created once and its keys are kept', async () => {
  const store = memoryStore();
  const { create, calls } = creating();
  expect(await keepAccount({ store, create, waiting })).toMatchObject({ ownerId: 'owner1' });
  const kept = {
    'administration-key': expect.stringMatching(KEY),
    'default-key': expect.stringMatching(KEY),
    'owner-id': 'owner1',
    'owner-activation-link': 'https://link',
  };
  expect(store.content).toEqual(kept);
  expect(await keepAccount({ store, create, waiting })).toBeUndefined();
  expect([calls(), store.content]).toEqual([1, kept]);
});

test('an installation that is not there yet is waited for', async () => {
  const store = memoryStore();
  const { create, calls } = creating(unavailable('PEER_UNAVAILABLE'), unavailable('PEER_UNAVAILABLE'));
  await keepAccount({ store, create, waiting });
  expect([calls(), store.content['owner-id']]).toEqual([3, 'owner1']);
});

test('a store that is not there yet is waited for, and asked again what it has', async () => {
  const { create, calls } = creating();
  const store = memoryStore();
  const away = [unavailable('KUBERNETES_AWAY'), unavailable('KUBERNETES_AWAY')];
  const flaky = {
    ...store,
    read: async () => {
      const failure = away.shift();
      if (failure) throw failure;
      return store.read();
    },
    // Stored, but the answer is lost.
    addIfUnchanged: async (texts: Readonly<Record<string, string>>) => {
      await store.addIfUnchanged(texts);
      throw unavailable('KUBERNETES_AWAY');
    },
  };
  await keepAccount({ store: flaky, create, waiting });
  expect([calls(), store.content['owner-id']]).toEqual([1, 'owner1']);
});

test('what could not be stored is stored later, without another account', async () => {
  const store = memoryStore({}, 3);
  const { create, calls } = creating();
  await keepAccount({ store, create, waiting });
  expect([calls(), store.content['owner-id']]).toEqual([1, 'owner1']);
});

test('after a crash between the account and its note, the same account is found again', async () => {
  const store = memoryStore();
  const { create, accounts } = creating();
  const crashing = async (keys: Keys) => {
    await create(keys);
    throw new Error('killed');
  };
  await expect(keepAccount({ store, create: crashing, waiting })).rejects.toThrow('killed');
  const made = { ...store.content };
  expect(await keepAccount({ store, create, waiting })).toMatchObject({ ownerId: 'owner1' });
  expect(accounts.size).toBe(1);
  expect(store.content).toEqual({ ...made, 'owner-id': 'owner1' });
});

test('two at once: the one whose keys were not stored creates nothing', async () => {
  const { create, calls } = creating();
  const store = { ...memoryStore(), addIfUnchanged: () => Promise.reject(new Error('409')) };
  await expect(keepAccount({ store, create, waiting })).rejects.toThrow('409');
  expect(calls()).toBe(0);
});

test('a Secret that somebody else filled is left as it is', async () => {
  const store = memoryStore({ 'administration-key': 'theirs' });
  const { create, calls } = creating();
  expect(await keepAccount({ store, create, waiting })).toBeUndefined();
  expect([calls(), store.content]).toEqual([0, { 'administration-key': 'theirs' }]);
});

test('a wrong argument is reported at once', async () => {
  const wrong = new DomainError('invalid_argument', 'INVALID_ARGUMENT', 'email: must be an address');
  const { create, calls } = creating(wrong);
  await expect(keepAccount({ store: memoryStore(), create, waiting })).rejects.toBe(wrong);
  expect(calls()).toBe(1);
});

test('a store that may not be written stops it before there is an account', async () => {
  const { create, calls } = creating();
  const store = { ...memoryStore(), read: () => Promise.reject(new Error('forbidden')) };
  await expect(keepAccount({ store, create, waiting })).rejects.toThrow('forbidden');
  expect(calls()).toBe(0);
});

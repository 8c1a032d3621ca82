import { ConnectionShares } from './connection-shares.ts';

type Named = { readonly name: string; isBusy: boolean; isWaiting(): boolean };
const connection = (name: string): Named => ({
  name,
  isBusy: false,
  isWaiting() {
    return !this.isBusy;
  },
});

/** Opens connections from an address. @returns them, and the names of those that were ended */
function open(shares: ConnectionShares<Named>, address: string | undefined, count: number) {
  const ended: string[] = [];
  const all = Array.from({ length: count }, (_, n) => {
    const opened = connection(`${address}#${n}`);
    const end = shares.open(opened, address);
    if (end) ended.push(end.name);
    return opened;
  });
  return { all, ended };
}

test('who is new from an address that has its share takes the place of the one that has waited longest', () => {
  const shares = new ConnectionShares<Named>(16);
  const { ended } = open(shares, 'a', 7);
  expect(ended).toEqual(['a#0', 'a#1', 'a#2']);
  expect(shares.count).toBe(4);
});

test('a connection that is being answered keeps its place, and the new one has none where all are', () => {
  const shares = new ConnectionShares<Named>(16);
  const { all } = open(shares, 'a', 4);
  for (const socket of all) socket.isBusy = true;
  const [last] = all.slice(-1);
  if (last) last.isBusy = false;
  expect(open(shares, 'a', 1).ended).toEqual(['a#3']);
  for (const socket of all) socket.isBusy = true;
  const fresh = open(shares, 'a', 0);
  expect(fresh.ended).toEqual([]);
  const busy = new ConnectionShares<Named>(16);
  for (const socket of open(busy, 'a', 4).all) socket.isBusy = true;
  expect(open(busy, 'a', 1).ended).toEqual(['a#0']);
  expect(busy.count).toBe(4);
});

test('strangers of many addresses have half of all, and a new address still gets in', () => {
  const shares = new ConnectionShares<Named>(16);
  for (const address of ['a', 'b', 'c', 'd', 'e', 'f']) open(shares, address, 10);
  expect(shares.count).toBe(8);
  const { ended } = open(shares, 'new', 1);
  expect(ended).toHaveLength(1);
  expect(shares.count).toBe(8);
});

test('a connection with a good key is the account’s, of which one never has more than is left free', () => {
  const shares = new ConnectionShares<Named>(16);
  const taken = (account: string) => {
    for (let count = 0; ; count += 1) {
      const [first] = open(shares, 'a', 1).all as [Named];
      if (!shares.known(first, account)) {
        shares.close(first);
        return count;
      }
    }
  };
  expect([taken('x'), taken('y'), taken('z')]).toEqual([8, 4, 2]);
  expect(open(shares, 'a', 1).ended).toEqual([]);
});

test('connections of a proxy are nobody’s, and what ends is given back', () => {
  const shares = new ConnectionShares<Named>(16);
  const { all, ended } = open(shares, undefined, 30);
  expect(ended).toEqual([]);
  expect(all.map((socket) => shares.known(socket, 'x'))).toEqual(all.map(() => true));
  for (const socket of [...all, ...all]) shares.close(socket);
  expect(shares.count).toBe(0);
  const strangers = open(shares, 'a', 4).all;
  for (const stranger of [...strangers, ...strangers]) shares.close(stranger);
  expect(open(shares, 'a', 4).ended).toEqual([]);
  expect(shares.count).toBe(4);
});

import { borrow, type Lendable, openLender } from './lender.ts';

/** An installation that only counts. */
function counted() {
  const calls: string[] = [];
  const start = async (): Promise<Lendable> => {
    calls.push('start');
    return {
      dataDir: '/data',
      ports: { mail: 25 },
      ready: async () => void calls.push('ready'),
      stop: async () => void calls.push('stop'),
    };
  };
  return { calls, start };
}

test('turns of a kind come one after the other, of an installation that is started once and stopped at the end', async () => {
  const { calls, start } = counted();
  const lender = await openLender({ each: start });
  const first = await borrow(lender.socket, 'each');
  expect(first).toMatchObject({ dataDir: '/data', ports: { mail: 25 } });
  const order: string[] = [];
  const second = borrow(lender.socket, 'each').then((turn) => {
    order.push('second');
    return turn;
  });
  order.push('first ends');
  await first.end();
  await (await second).end();
  expect(order).toEqual(['first ends', 'second']);
  await lender.close();
  expect(calls).toEqual(['start', 'ready', 'ready', 'stop']);
});

test('kinds do not wait for each other', async () => {
  const lender = await openLender({ each: counted().start, messages: counted().start });
  const turns = [await borrow(lender.socket, 'each'), await borrow(lender.socket, 'messages')];
  for (const turn of turns) await turn.end();
  await lender.close();
});

test('an installation that does not start fails each turn with its reason', async () => {
  const lender = await openLender({ each: () => Promise.reject(new Error('no room on the disk')) });
  for (let n = 0; n < 2; n += 1) await expect(borrow(lender.socket, 'each')).rejects.toThrow('no room on the disk');
  await lender.close();
});

test('a kind that is not lent is refused', async () => {
  const lender = await openLender({});
  await expect(borrow(lender.socket, 'other')).rejects.toThrow('nothing of the kind other is lent');
  await lender.close();
});

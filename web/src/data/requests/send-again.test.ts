import { CatchmentError } from '@catchment/client';
import { oneByOne } from './send-again.ts';

const full = () => new CatchmentError('full', { kind: 'argument', status: 400, reason: 'TOO_MANY_DELIVERIES' });
const course = (change: Partial<Parameters<typeof oneByOne>[2]> = {}) => {
  const reported: string[] = [];
  const more = { progress: (done: number, all: number) => reported.push(`${done}/${all}`), isOver: () => false };
  return { reported, course: { ...more, wait: async () => reported.push('waited'), ...change } };
};

test('each is sent once, in its order; one that the server has no room for is asked for again', async () => {
  const sent: string[] = [];
  let refusals = 2;
  const send = async (id: string) => {
    if (id === 'b' && refusals-- > 0) throw full();
    sent.push(id);
  };
  const { reported, course: of } = course();
  expect(await oneByOne(['a', 'b', 'c'], send, of)).toBe(3);
  expect(sent).toEqual(['a', 'b', 'c']);
  expect(reported).toEqual(['1/3', 'waited', 'waited', '2/3', '3/3']);
});

test('it can be stopped, also while the server has no room', async () => {
  let isOver = false;
  const send = () => Promise.reject(full());
  const { course: of } = course({
    isOver: () => isOver,
    wait: async () => {
      isOver = true;
    },
  });
  expect(await oneByOne(['a', 'b'], send, of)).toBe(0);
});

test('any other refusal ends it', async () => {
  const send = () => Promise.reject(new Error('gone'));
  await expect(oneByOne(['a'], send, course().course)).rejects.toThrow('gone');
});

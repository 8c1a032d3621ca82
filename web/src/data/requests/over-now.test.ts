import { CatchmentError } from '@catchment/client';
import { overNow } from './over-now.ts';

const overtaken = () => new CatchmentError('changed meanwhile', { kind: 'changed', status: 412 });

test('a change over what is there now is done again as often as somebody is faster, and not for ever', async () => {
  let tries = 0;
  const after = (refusals: number) => () => {
    tries += 1;
    return tries > refusals ? Promise.resolve('done') : Promise.reject(overtaken());
  };
  expect([await overNow(after(2)), tries]).toEqual(['done', 3]);
  tries = 0;
  await expect(overNow(after(100))).rejects.toMatchObject({ status: 412 });
  expect(tries).toBe(5);
});

test('another refusal is one', async () => {
  let tries = 0;
  const refused = () => {
    tries += 1;
    return Promise.reject(new CatchmentError('no', { kind: 'permission', status: 403 }));
  };
  await expect(overNow(refused)).rejects.toMatchObject({ status: 403 });
  expect(tries).toBe(1);
});

import { type Elsewhere, PortionChoice } from './portion-choice.ts';

const MOST = 3;
const free = (nodeId: string, shard = 'a'): Elsewhere => ({ nodeId, shard, isHeld: false });
const held = (nodeId: string, shard = 'a'): Elsewhere => ({ nodeId, shard, isHeld: true });
const portion = (fromShard: string, ...nodeIds: string[]) => ({ fromShard, nodeIds });

test.each<readonly [string, readonly (readonly Elsewhere[])[], PortionChoice['chosen'], takesMore: boolean]>([
  ['no series is elsewhere', [[]], 'none', true],
  ['all series are held', [[held('1')], [held('2')]], 'held', true],
  ['held series are left out', [[held('1'), free('2')]], portion('a', '2'), true],
  ['the shard of the first free series counts', [[held('1', 'b'), free('2'), free('3', 'b')]], portion('a', '2'), true],
  ['a later page keeps to the shard', [[free('1')], [free('2', 'b'), free('3')]], portion('a', '1', '3'), true],
  ['a page without free series decides nothing', [[], [held('1')], [free('2', 'b')]], portion('b', '2'), true],
  ['a full portion takes no more', [[free('1'), free('2'), free('3')]], portion('a', '1', '2', '3'), false],
  [
    'what is too much waits',
    [
      [free('1'), free('2')],
      [free('3'), free('4')],
    ],
    portion('a', '1', '2', '3'),
    false,
  ],
])('%s', (_what, pages, chosen, takesMore) => {
  const choice = new PortionChoice(MOST);
  const answers = pages.map((page) => choice.take(page));
  expect({ chosen: choice.chosen, takesMore: answers.at(-1) }).toEqual({ chosen, takesMore });
});

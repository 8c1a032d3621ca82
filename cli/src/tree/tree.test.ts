import { branchOf, labelOf, linesOf, type Part, treesOf, truncated } from './tree.ts';

const CLASS = 'io.svc.models.node';
const part = (id: string, name: string, parentId?: string, more: Partial<Part> = {}): Part => ({
  _id: id,
  _class: `${CLASS}.Group`,
  name,
  parentId,
  ...more,
});
const PARTS = [
  part('3', 'Gauge', '2'),
  part('1', 'Valley'),
  part('5', 'Level 10', '3', {
    customId: 'level',
    units: 'm',
    _class: `${CLASS}.point.NumberPoint`,
    currentValue: 2.5,
    currentTime: 'T',
  }),
  part('4', 'Level 9', '3'),
  part('2', 'Dead\u001b[31mRun', '1'),
  part('6', 'Alone', 'not among them'),
];

test('nodes lie below their parents, siblings by name', () => {
  expect([...linesOf(treesOf(PARTS), true)]).toEqual([
    'Alone  6  Group',
    'Valley  1  Group',
    '└─ Dead [31mRun  2  Group',
    '   └─ Gauge  3  Group',
    '      ├─ Level 9  4  Group',
    '      └─ Level 10  @level  NumberPoint  m  2.5 at T',
  ]);
});

test('a branch and its first levels', () => {
  const found = branchOf(treesOf(PARTS), ({ _id }) => _id === '2');
  expect([...linesOf(truncated(found ? [found] : [], 2), false)]).toEqual([
    'Dead [31mRun  2  Group',
    '└─ Gauge  3  Group',
  ]);
  expect(branchOf(treesOf(PARTS), ({ _id }) => _id === '7')).toBeUndefined();
});

test('a path stands in place of a name', () => {
  expect(labelOf({ ...part('1', 'Level'), path: 'Valley/Level' }, false)).toBe('Valley/Level  1  Group');
});

test('a deep tree takes no more of the stack than its lines', () => {
  const deep = Array.from({ length: 500 }, (_, n) => part(String(n), `n${n}`, n === 0 ? undefined : String(n - 1)));
  expect([...linesOf(treesOf(deep), false)]).toHaveLength(500);
});

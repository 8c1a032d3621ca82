import { planPath, type Standpoint } from './path.ts';

const PARAMETER: Standpoint = { ownerId: 'own', nodeId: 'p', parentId: 'source', isProcessor: false };
const PROCESSOR: Standpoint = { ownerId: 'own', nodeId: 'proc', parentId: 'location', isProcessor: true };
const SLUGS = new Map([['other', 'theirs']]);
const ID = '0123456789abcdef01234567';
const OWN = { ownerId: 'own' };

test.each([
  ['Level', PARAMETER, { walks: [{ ...OWN, nodeId: 'source', steps: ['level'] }], isBare: true }],
  ['./Level', PARAMETER, { walks: [{ ...OWN, nodeId: 'source', steps: ['level'] }], isBare: false }],
  [
    '../Other/Level',
    PARAMETER,
    { walks: [{ ...OWN, nodeId: 'source', steps: ['..', 'other', 'level'] }], isBare: false },
  ],
  [
    'Out',
    PROCESSOR,
    {
      walks: [
        { ...OWN, nodeId: 'proc', steps: ['out'] },
        { ...OWN, nodeId: 'location', steps: ['out'] },
      ],
      isBare: true,
    },
  ],
  ['Logger/Level', PROCESSOR, { walks: [{ ...OWN, nodeId: 'location', steps: ['logger', 'level'] }], isBare: false }],
  ['/Site/Station', PARAMETER, { walks: [{ ...OWN, root: 'site', steps: ['station'] }], isBare: false }],
  ['/Other/Site', PARAMETER, { walks: [{ ...OWN, root: 'other', steps: ['site'] }], isBare: false }],
  [
    '/other/Site/A',
    PARAMETER,
    { walks: [{ ownerId: 'theirs', root: 'site', steps: ['a'] }], isBare: false, slug: 'other' },
  ],
  [`{${ID}}`, PARAMETER, { walks: [{ ...OWN, nodeId: ID, steps: [] }], isBare: false }],
  ['{@gauge}/Level', PARAMETER, { walks: [{ ...OWN, customId: 'gauge', steps: ['level'] }], isBare: false }],
] as const)('%s', (path, from, plan) => {
  expect(planPath(path, false, from, SLUGS)).toEqual(plan);
});

test('of NODES the last element is a pattern', () => {
  const walks = [{ ...OWN, nodeId: 'source', steps: ['..', 'other'] }];
  expect(planPath('../Other/Temp \\d{2}', true, PARAMETER, SLUGS)).toEqual({
    walks,
    isBare: false,
    pattern: 'Temp \\d{2}',
  });
  expect(planPath('Temp.*', true, PARAMETER, SLUGS)).toMatchObject({ walks: [{ steps: [] }], pattern: 'Temp.*' });
});

test.each(['', '/', 'a//b', '/other', '{nothing}', '../'.repeat(60), 'x'.repeat(2_001)])('%p is no path', (path) => {
  expect(planPath(path, false, PARAMETER, SLUGS)).toEqual(expect.any(String));
});

test.each(['N\0', '\0', '../\0/N', '/W/\0', '{@a\0}', 'half \ud800', '{@\udc00}/N'])(
  'a path that no store can hold names no node, and is shown without what cannot be kept (%j)',
  (path) => {
    const problem = planPath(path, false, PARAMETER, SLUGS);
    expect(problem).toMatch(/^no node '.*\ufffd.*'$/);
    expect(planPath(path, true, PROCESSOR, SLUGS)).toBe(problem);
  },
);

import { authGrants, authProblem, keepKeys, maskKeys } from './auth-keys.ts';

const KEY = 'k'.repeat(40);

test.each([
  [`AUTH('demo', '${KEY}');`, `AUTH('demo', '********');`],
  [`AUTH("demo","${KEY}")`, `AUTH("demo","********")`],
  [`AUTH(\`demo\`, \`${KEY}\`)`, 'AUTH(`demo`, `********`)'],
  [`AUTH /* a */ (\n 'demo', // b\n '${KEY}', )`, `AUTH /* a */ (\n 'demo', // b\n '********', )`],
  [`\\u0041UT\\u{48}('demo', '${KEY}')`, `\\u0041UT\\u{48}('demo', '********')`],
  [`// AUTH('demo', '${KEY}')`, `// AUTH('demo', '********')`],
  [`AUTH?.('demo', '${KEY}')`, `AUTH?.('demo', '********')`],
  ['return NUMBER("Level") + 1', 'return NUMBER("Level") + 1'],
  [`MYAUTH('demo', 'shown')`, `MYAUTH('demo', 'shown')`],
])('%s is shown as %s', (code, shown) => {
  expect(maskKeys(code)).toBe(shown);
  expect(authProblem(code)).toBeUndefined();
});

test.each([
  'AUTH("demo", key)',
  `AUTH('demo', '${KEY.slice(1)}' + 'k')`,
  `AUTH(slug, '${KEY}')`,
  `AUTH('demo', \`\${key}\`)`,
  `AUTH('demo', '\\u006b${KEY.slice(1)}')`,
  'AUTH("demo")',
  'AUTH ( )',
  'AUTH?.(...both)',
])('%s is refused: its key could not be masked', (code) => {
  expect(authProblem(code)).toContain("AUTH('slug', 'key')");
});

test('a masked key that comes back is the one that was there for the account', () => {
  const stored = `AUTH('a', 'one'); AUTH('b', 'two'); AUTH('a', 'three')`;
  expect(keepKeys(maskKeys(stored), stored)).toBe(stored);
  expect(keepKeys(`AUTH('b', '********'); AUTH('a', 'new')`, stored)).toBe(`AUTH('b', 'two'); AUTH('a', 'new')`);
  const unknown = keepKeys(`AUTH('c', '********')`, stored);
  expect(authProblem(unknown)).toContain("AUTH('c')");
});

test('grants are read in their order', () => {
  expect(authGrants(`AUTH('a', 'x'); x; AUTH('b', 'y')`)).toEqual([
    { slug: 'a', key: 'x' },
    { slug: 'b', key: 'y' },
  ]);
});

test('a long text of beginnings is looked through quickly', () => {
  const began = process.threadCpuUsage();
  for (const code of ['AUTH(/*'.repeat(9_000), `AUTH('a',${' '.repeat(60_000)}`, `AUTH(${'/**/'.repeat(16_000)}`])
    authProblem(code);
  const { user, system } = process.threadCpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});

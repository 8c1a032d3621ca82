import { checkRevision, revisionOf } from './revision.ts';

test('a revision is the same for the same settings, another one for others, and a number that a header carries', () => {
  const revision = revisionOf({ name: 'Watch', permissions: ['VIEW'] });
  expect(revision).toBe(revisionOf({ name: 'Watch', permissions: ['VIEW'] }));
  expect(revision).not.toBe(revisionOf({ name: 'Watch', permissions: ['VIEW', 'CONTROL'] }));
  expect(String(revision)).toMatch(/^\d{1,15}$/);
});

test.each([
  ['any', undefined, true],
  ['the present one', { revisions: [7] }, true],
  ['one of several', { revisions: [6, 7] }, true],
  ['another one', { revisions: [6] }, false],
  ['none', { revisions: [] }, false],
])('a change that is meant for %s', (_what, wanted, isMade) => {
  const change = () => checkRevision('role', 7, wanted);
  if (isMade) expect(change).not.toThrow();
  else expect(change).toThrow('If-Match: the role has changed, its revision is 7 now');
});

import { type Job, kept, lost, merged } from './job-list.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  page: 'other',
  label: id,
  state: 'running',
  aliveMs: NOW,
  ...more,
});
const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id);

test.each([
  ['goes on in a page that says so', { aliveMs: NOW - MINUTE }, 'running'],
  ['of a page that is silent was left', { aliveMs: NOW - 5 * MINUTE }, 'left'],
  ['of this page goes on however long it was asleep', { aliveMs: NOW - 50 * MINUTE, page: 'own' }, 'running'],
  ['that is done stays done', { aliveMs: NOW - 50 * MINUTE, state: 'done' }, 'done'],
] as const)('a job %s', (_what, more, state) => {
  expect(lost([job('a', more)], 'own', NOW)[0]!.state).toBe(state);
});

test('a page knows its own jobs best, and those of others as they were written', () => {
  const written = [job('a', { page: 'own' }), job('b')];
  const own = [job('a', { page: 'own', part: 0.5 })];
  expect(merged(written, own, 'own')).toEqual([own[0], written[1]]);
});

test('what goes on is kept before what has ended, and yesterday is left out', () => {
  const ended = Array.from({ length: 30 }, (_, n) => job(`done ${n}`, { state: 'done' }));
  const old = job('old', { state: 'done', aliveMs: NOW - 25 * 60 * MINUTE });
  const ids = idsOf(kept([old, ...ended, job('running')], NOW));
  expect(ids).toHaveLength(20);
  expect(ids[0]).toBe('running');
  expect(ids).not.toContain('old');
});

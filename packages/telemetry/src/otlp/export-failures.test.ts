import { failureReporter } from './export-failures.ts';

test('of many failures one in a minute is reported, with how many were not', () => {
  let nowMs = 5;
  const reported: object[] = [];
  const fail = failureReporter(
    (facts) => reported.push(facts),
    () => nowMs,
  );
  fail(JSON.stringify({ name: 'AggregateError', code: 'ECONNREFUSED', message: '', stack: 'at …' }));
  for (const second of [1, 30, 59]) {
    nowMs = 5 + second * 1_000;
    fail('again');
  }
  nowMs = 60_005;
  fail('Export took longer than 30000 ms');
  expect(reported).toEqual([
    { reason: 'AggregateError ECONNREFUSED', unlogged: 0 },
    { reason: 'Export took longer than 30000 ms', unlogged: 3 },
  ]);
});

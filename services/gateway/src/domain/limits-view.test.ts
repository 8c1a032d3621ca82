import { limitsView } from './limits-view.ts';

test('what is 0 among the services, for ever or without a limit, is null on the outside', () => {
  expect(
    limitsView(
      { nodes: { count: 3 } },
      { recordDays: 0, rowsPerSourcePerDay: 0 },
      { eventDays: 0, debugEventDays: 30 },
    ),
  ).toEqual({
    nodes: { count: 3 },
    rowsPerSourcePerDay: null,
    kept: { recordDays: null, recordsRemovedFrom: null, eventDays: null, debugEventDays: 30 },
  });
});

test('days that are new say from when on they remove', () => {
  const kept = { recordDays: 30, removedFromMs: Date.UTC(2026, 4, 15), rowsPerSourcePerDay: 100 };
  expect(limitsView({}, kept, { eventDays: 365, debugEventDays: 7 })).toEqual({
    rowsPerSourcePerDay: 100,
    kept: { recordDays: 30, recordsRemovedFrom: '2026-05-15T00:00:00.000Z', eventDays: 365, debugEventDays: 7 },
  });
});

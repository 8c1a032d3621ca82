import { type Changes, type MoveAction, type MoveFacts, nextAction } from './move-action.ts';

const marked = { isMarked: true, isPassed: false, leftMs: 1 };
const passed = { ...marked, isPassed: true };
const copied = { isCopied: true };

test.each<[string, MoveAction, MoveFacts['state'], Partial<MoveFacts>, Changes?]>([
  ['a move that is new is announced in the log', 'mark', 'preparing', {}],
  ['what was begun without knowledge of it is waited for', 'wait', 'preparing', marked],
  ['also longer than a mark is good', 'wait', 'preparing', { ...marked, leftMs: 0 }],
  ['then it is copied', 'beginCopying', 'preparing', passed],
  ['also after that time', 'beginCopying', 'preparing', { ...passed, leftMs: 0 }],
  ['series come first', 'copySeries', 'copying', {}],
  ['also where there is a mark of an earlier switchover', 'copySeries', 'copying', passed],
  ['then what was written meanwhile', 'copyChanges', 'copying', copied],
  ['until nothing is left', 'copyChanges', 'copying', copied, 'some'],
  ['then it is looked how far behind the old writer is', 'mark', 'copying', copied, 'none'],
  ['no switchover begins before that', 'wait', 'copying', { ...copied, ...marked }, 'none'],
  [
    'a mark that was not passed in time is still waited for',
    'wait',
    'copying',
    { ...copied, ...marked, leftMs: 0 },
    'none',
  ],
  ['a writer that keeps up lets the switchover begin', 'beginSwitchover', 'copying', { ...copied, ...passed }, 'none'],
  ['changes are few before that', 'copyChanges', 'copying', { ...copied, ...passed }],
  ['a mark that was passed late is tried again', 'mark', 'copying', { ...copied, ...passed, leftMs: 0 }, 'none'],
  ['a switchover gets its boundary first', 'mark', 'cutting', { ...copied, leftMs: 1 }],
  ['changes are copied while the old writer comes there', 'copyChanges', 'cutting', { ...copied, ...marked }],
  ['none are left for now, but it is not there', 'wait', 'cutting', { ...copied, ...marked }, 'none'],
  ['it is there, but changes are not looked at since', 'copyChanges', 'cutting', { ...copied, ...passed }],
  ['it is there, but some are left', 'copyChanges', 'cutting', { ...copied, ...passed }, 'some'],
  ['it is there, and none are left', 'handOver', 'cutting', { ...copied, ...passed }, 'none'],
  [
    'a switchover that takes too long is taken back',
    'takeBack',
    'cutting',
    { ...copied, ...passed, leftMs: 0 },
    'none',
  ],
  ['also one that has no boundary yet', 'takeBack', 'cutting', { ...copied, leftMs: -1 }],
])('%s: %s', (_what, action, state, facts, changes = 'unknown') => {
  const all = { state, isMarked: false, isPassed: false, leftMs: 0, isCopied: false, ...facts };
  expect(nextAction(all, changes)).toBe(action);
});

const bits = [false, true];
const everything = (['preparing', 'copying', 'cutting'] as const).flatMap((state) =>
  bits.flatMap((isMarked) =>
    bits.flatMap((isPassed) =>
      bits.flatMap((isCopied) =>
        [0, 1].flatMap((leftMs) =>
          (['unknown', 'some', 'none'] as const).map((changes) => ({
            facts: { state, isMarked, isPassed, isCopied, leftMs },
            changes,
          })),
        ),
      ),
    ),
  ),
);

test('no switchover begins, and nothing is handed over, unless the old writer has passed the mark, in time, and nothing is left to be copied', () => {
  for (const { facts, changes } of everything) {
    const action = nextAction(facts, changes);
    if (action !== 'beginSwitchover' && action !== 'handOver') continue;
    expect({ ...facts, changes }).toMatchObject({ isMarked: true, isPassed: true, leftMs: 1, changes: 'none' });
    expect(facts.state).toBe(action === 'beginSwitchover' ? 'copying' : 'cutting');
  }
});

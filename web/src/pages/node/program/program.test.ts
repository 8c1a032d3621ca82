import type { Trial } from '../../../data/processing/computations.ts';
import { documentOf, processOf, trialOf } from './document.ts';
import { functionsIn } from './functions-in.ts';
import { problemOf } from './problem.ts';
import { errorsOf, marksOf, ofSharedCode, rowsOf } from './trial-rows.ts';

const TRIAL: Trial = {
  inputs: [{ _id: 'a', name: 'Air', path: 'Air', line: 2, values: [1, null] }],
  outputs: [{ _id: 'p', name: 'P' }],
  times: ['2024-01-01T00:00:00.000Z', '2024-01-01T01:00:00.000Z'],
  records: [
    { ts: '2024-01-01T00:00:00.000Z', value: 2 },
    { ts: '2024-01-01T00:30:00.000Z', value: 3 },
  ],
  errors: [{ ts: '2024-01-01T01:00:00.000Z', message: 'no air', line: 3 }],
  console: [
    { ts: '2024-01-01T01:00:00.000Z', text: 'hot', line: 1 },
    { ts: '2024-01-01T01:00:00.000Z', text: 'shared' },
  ],
  runs: 2,
  failed: 1,
  elapsedMs: 1,
  isComplete: true,
};

test('runs have what they read, made, said and failed with; a result may have a time of its own', () => {
  expect(rowsOf(TRIAL)).toEqual([
    { ts: '2024-01-01T00:00:00.000Z', inputs: [1], results: [TRIAL.records[0]], said: [] },
    { ts: '2024-01-01T00:30:00.000Z', inputs: [undefined], results: [TRIAL.records[1]], said: [] },
    { ts: '2024-01-01T01:00:00.000Z', inputs: [undefined], results: [], error: TRIAL.errors[0], said: TRIAL.console },
  ]);
});

test('beside a line stands what its series were, what it said and why it failed', () => {
  expect(marksOf(rowsOf(TRIAL)[2]!, TRIAL.inputs, (value) => String(value ?? '–'))).toEqual([
    { line: 2, text: 'Air = –', look: 'value' },
    { line: 1, text: 'hot', look: 'console' },
    { line: 3, text: 'no air', look: 'error' },
  ]);
});

test('errors of shared code have their lines in it, and nothing of the program stands beside them', () => {
  const errors = [
    { ts: '1', message: 'x is not defined (shared code, line 2)' },
    { ts: '2', message: 'no air', line: 3 },
  ];
  const shared = ofSharedCode({ ...TRIAL, errors });
  expect(shared.errors).toEqual([
    { ts: '1', message: 'x is not defined', line: 2 },
    { ts: '2', message: 'no air' },
  ]);
  expect(shared.inputs.map(({ line }) => line)).toEqual([0]);
});

test('errors that say the same are counted', () => {
  const at = (ts: string, line?: number) => ({ ts, message: 'low', ...(line !== undefined && { line }) });
  expect(errorsOf([at('1', 2), at('2', 2), at('3')])).toEqual([
    { message: 'low', line: 2, firstTs: '1', count: 2 },
    { message: 'low', firstTs: '3', count: 1 },
  ]);
});

test.each([
  ["no node 'Water' (line 12) (400, INVALID_PROGRAM)", { message: "no node 'Water'", line: 12, isShared: false }],
  ['x is not defined (shared code, line 3)', { message: 'x is not defined', line: 3, isShared: true }],
  [
    'the program has no input that could start it (400)',
    { message: 'the program has no input that could start it', isShared: false },
  ],
])('the place of a refusal is found: %s', (text, expected) => {
  expect(problemOf(text)).toEqual(expected);
});

const CLASS = 'io.svc.models.node.point.NumberProcessPoint';

test('a program without a text is none, and what nobody has chosen is not sent to be tried', () => {
  const none = documentOf({ _class: CLASS, process: null });
  expect(none).toEqual({ code: '', runMode: null, qualityFilter: null, secondaryInputs: null, aggregateInputs: null });
  expect(processOf(none)).toBeNull();
  expect(processOf({ ...none, code: 'return 1', qualityFilter: [] })).toMatchObject({
    code: 'return 1',
    qualityFilter: null,
  });
  expect(trialOf({ ...none, code: 'return 1', runMode: 'ANY_INPUT' })).toEqual({
    code: 'return 1',
    runMode: 'ANY_INPUT',
  });
  expect(documentOf({ _class: 'io.svc.models.node.Workspace' })).toEqual({ sharedCode: '' });
});

test('functions of shared code are found, not what they call', () => {
  expect(
    functionsIn('var k = 1;\nfunction dewPoint(T, RH) {\n  return magnus(T);\n}\n  function magnus(T) {}'),
  ).toEqual(['dewPoint', 'magnus']);
});

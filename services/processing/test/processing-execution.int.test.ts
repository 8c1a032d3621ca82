import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { metricsPage } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { reportUnprocessed } from '../src/store/unprocessed.ts';
import { caller, type Process, type Service, startService } from './fixture.ts';

const MINUTE = 60_000;
const T0 = Date.UTC(2024, 0, 1);
const at = (minute: number) => T0 + minute * MINUTE;
const rows = (...pairs: [minute: number, value: unknown][]) => pairs.map(([minute, value]) => [at(minute), value]);
const BAD = 156;
const SUM = "return NUMBER('A').currentValue + NUMBER('B').currentValue";

type Given = readonly [minute: number, value: number | null, quality?: number];
const recordsOf = (given: readonly Given[]) =>
  given.map(([minute, value, quality]): readonly [number, number | null, number?] =>
    quality === undefined ? [at(minute), value] : [at(minute), value, quality],
  );

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());
beforeEach(() => {
  service.clock.now = undefined;
});

type Nodes = Record<'workspace' | 'source' | 'a' | 'b' | 'c', NodeConfig>;

/** Makes a source with parameters A, B, C, and records of them by minute. */
function site(records: Partial<Record<'a' | 'b' | 'c', readonly Given[]>> = {}, ownerId = newObjectId()): Nodes {
  const { peers, historic } = service;
  const workspace = peers.make('Workspace', { ownerId });
  const source = peers.make('source.data.Jts', { parent: workspace, name: 'Source' });
  const [a, b, c] = ['A', 'B', 'C'].map((name) => peers.make('point.NumberPoint', { name, parent: source }));
  if (!a || !b || !c) throw new Error('not made');
  const nodes = { workspace, source, a, b, c };
  for (const name of ['a', 'b', 'c'] as const) historic.put(nodes[name].nodeId, recordsOf(records[name] ?? []));
  return nodes;
}

const parameter = ({ source }: Nodes, process: Process, valueType: ValueType = ValueType.VALUE_TYPE_NUMBER) =>
  service.peers.make('point.NumberProcessPoint', { name: 'P', parent: source, process, valueType });
/** Makes a processor beside the parameters. */
const processor = ({ source }: Nodes, process: Process, more: { intervalSeconds?: number; isEnabled?: boolean } = {}) =>
  service.peers.make('source.data.Processor', { name: 'Processor', parent: source, process, ...more });
/** The output of a processor. */
const output = (of: NodeConfig, name: string) => {
  const node = service.peers.child(of.nodeId, name);
  if (!node) throw new Error(`no output ${name}`);
  return node;
};
const valuesOf = (node: NodeConfig) => service.historic.values(node.nodeId);
const put = (node: NodeConfig, ...given: Given[]) => service.write(node.nodeId, recordsOf(given));
/** Saves another program of the node. */
async function change(node: NodeConfig, process: Process): Promise<void> {
  service.peers.processes.set(node.nodeId, process);
  await service.save(service.peers.keep(node));
}

describe('what a program may have', () => {
  const inputs = (count: number) => Array.from({ length: count }, (_, n) => `NUMBER('I${n}').currentValue`).join(' + ');

  test.each([
    ['parameter', 3, 'a process parameter has at most 3 inputs, not 4'],
    ['processor', 25, 'a processor has at most 25 inputs, not 26'],
  ] as const)('a %s has up to %i inputs', async (kind, most, message) => {
    const nodes = site();
    for (let n = 0; n <= most; n += 1) service.peers.make('point.NumberPoint', { name: `I${n}`, parent: nodes.source });
    const codeOf = (count: number) =>
      kind === 'parameter' ? `return ${inputs(count)}` : `NUMBER('Out').currentValue = ${inputs(count)}`;
    const make = kind === 'parameter' ? parameter : processor;
    const program = make(nodes, { code: codeOf(most + 1) });
    await service.save(program);
    expect(service.announced(program)).toEqual([message]);
    await change(program, { code: codeOf(most) });
    expect(service.announced(program)).toEqual([message, '']);
  });

  test('the same node is an input once, and once more with each aggregate', async () => {
    const nodes = site();
    const totals = (count: number) =>
      Array.from({ length: count }, (_, n) => `NUMBER('A;TOTAL;D;${n + 1}H').currentValue`).join(' + ');
    const p = parameter(nodes, { code: `return NUMBER('A').currentValue + NODE('A').currentValue + ${totals(3)}` });
    await service.save(p);
    expect(service.announced(p)).toEqual(['a process parameter has at most 3 inputs, not 4']);
    await change(p, { code: `return NUMBER('A').currentValue + NODE('A').currentValue + ${totals(2)}` });
    expect(service.announced(p).at(-1)).toBe('');
  });

  test('a processor has up to 100 outputs, which are created when it is saved', async () => {
    const nodes = site();
    const codeOf = (count: number) =>
      `var x = NUMBER('A').currentValue;\n${Array.from({ length: count }, (_, n) => `NUMBER('O${n}').currentValue = x;`).join('\n')}`;
    const p = processor(nodes, { code: codeOf(101) });
    await service.save(p);
    expect(service.announced(p)).toEqual(['a processor has at most 100 outputs, not 101']);
    expect(service.peers.child(p.nodeId, 'O0')).toBeUndefined();
    await change(p, { code: codeOf(100) });
    await put(nodes.a, [0, 5]);
    expect(valuesOf(output(p, 'O99'))).toEqual(rows([0, 5]));
  });

  test('outputs are of the type that the program names', async () => {
    const nodes = site();
    service.peers.ensured.length = 0;
    const p = processor(nodes, {
      code: `var x = NUMBER('A').currentValue; NUMBER('N').currentValue = x; BOOLEAN('F').currentValue = x > 1; TEXT('T').currentValue = 'v' + x; TIME('When').currentValue = NOW;`,
    });
    await service.save(p);
    expect(service.peers.ensured).toEqual(['N NUMBER', 'F BOOLEAN', 'T TEXT', 'When TIME']);
    await put(nodes.a, [1, 2]);
    expect(['N', 'F', 'T', 'When'].map((name) => valuesOf(output(p, name)))).toEqual([
      rows([1, 2]),
      rows([1, 1]),
      rows([1, 'v2']),
      rows([1, at(1)]),
    ]);
  });

  test('a process parameter may run 0.2 s, a processor 2 s', async () => {
    const limits: number[] = [];
    service.sandbox.before = async ({ limitMs }) => void limits.push(limitMs);
    await service.save(parameter(site({ a: [[0, 1]] }), { code: "return NUMBER('A').currentValue" }));
    const nodes = site();
    await service.save(processor(nodes, { code: "NUMBER('O').currentValue = NUMBER('A').currentValue" }));
    await put(nodes.a, [0, 1]);
    service.sandbox.before = async () => {};
    expect(limits).toEqual([200, 2_000]);
  });
});

describe('when times are evaluated (rule 1)', () => {
  test('with ALL_INPUTS when every input has a record at or after, each once and in order', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: SUM });
    await service.save(p);
    await put(nodes.a, [0, 1], [1, 2], [2, 3]);
    expect(valuesOf(p)).toEqual([]);
    await put(nodes.b, [1, 10]);
    expect(valuesOf(p)).toEqual(rows([1, 12]));
    await put(nodes.b, [5, 50]);
    expect(valuesOf(p)).toEqual(rows([1, 12], [2, 23]));
    expect(service.historic.written.filter(({ nodeId }) => nodeId === p.nodeId).map(({ timeMs }) => timeMs)).toEqual([
      at(1),
      at(2),
    ]);
  });

  test('with ANY_INPUT as soon as the first input has the record', async () => {
    const nodes = site();
    const p = parameter(nodes, {
      code: "var a = NUMBER('A').currentValue, b = NUMBER('B').currentValue; return a + (b === undefined ? 0 : b)",
      runMode: 'ANY_INPUT',
    });
    await service.save(p);
    await put(nodes.a, [0, 1]);
    await put(nodes.b, [1, 10]);
    await put(nodes.a, [2, 2]);
    expect(valuesOf(p)).toEqual(rows([0, 1], [2, 12]));
  });

  test('data that come late, and records that are deleted, change nothing', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [10, 2],
      ],
      b: [
        [0, 1],
        [10, 2],
      ],
    });
    const p = parameter(nodes, { code: SUM });
    await service.save(p);
    await put(nodes.a, [5, 100], [0, null]);
    await put(nodes.b, [5, 100]);
    expect(valuesOf(p)).toEqual(rows([0, 2], [10, 4]));
    await put(nodes.a, [11, 3]);
    await put(nodes.b, [11, 3]);
    expect(valuesOf(p)).toEqual(rows([0, 2], [10, 4], [11, 6]));
  });

  test('the first reference in the text is the one whose times count', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [2, 3],
      ],
      b: [
        [1, 10],
        [3, 30],
      ],
    });
    const p = parameter(nodes, { code: "return NUMBER('B').currentValue + NUMBER('A').currentValue" });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([1, 12]));
  });

  test('a processor begins with what comes after it was made; its saved program goes on where it was', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [1, 2],
      ],
    });
    const p = processor(nodes, { code: "NUMBER('O').currentValue = NUMBER('A').currentValue" });
    await service.save(p);
    await put(nodes.a, [2, 3]);
    await change(p, { code: "NUMBER('O').currentValue = NUMBER('A').currentValue * 10" });
    await put(nodes.a, [3, 4]);
    expect(valuesOf(output(p, 'O'))).toEqual(rows([2, 3], [3, 40]));
  });

  test('a schedule runs at its ticks, with the records until then; missed ticks are left out', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [7, 2],
      ],
    });
    service.clock.now = at(1);
    const p = processor(
      nodes,
      { code: "NUMBER('O').currentValue = NUMBER('A').currentValue", runMode: 'SCHEDULE', secondaryInputs: 'RETAIN' },
      { intervalSeconds: 300 },
    );
    await service.save(p);
    const ticked = (count: number) => until(async () => valuesOf(output(p, 'O')).length === count);
    service.clock.now = at(5) + 20;
    await ticked(1);
    service.clock.now = at(31);
    await ticked(2);
    expect(valuesOf(output(p, 'O'))).toEqual(rows([5, 1], [30, 2]));
  });
});

describe('what an input is at a time (rule 2)', () => {
  const program = (secondaryInputs: string, runMode: string) => ({
    code: "NUMBER('A'); var b = NUMBER('B').currentValue; return b === undefined ? -1 : b",
    secondaryInputs,
    runMode,
  });

  test.each([
    [
      'INTERPOLATED',
      'ALL_INPUTS',
      [
        [0, -1],
        [2, 14],
        [4, 20],
        [6, 25],
      ],
    ],
    [
      'INTERPOLATED',
      'ANY_INPUT',
      [
        [0, -1],
        [2, 14],
        [4, 20],
        [6, 25],
        [9, 30],
      ],
    ],
    [
      'RETAIN',
      'ALL_INPUTS',
      [
        [0, -1],
        [2, 11],
        [4, 20],
        [6, 20],
      ],
    ],
    [
      'RETAIN',
      'ANY_INPUT',
      [
        [0, -1],
        [2, 11],
        [4, 20],
        [6, 20],
        [9, 30],
      ],
    ],
  ] as const)('%s, %s', async (secondaryInputs, runMode, expected) => {
    const times = [0, 2, 4, 6, 9].map((minute): [number, number] => [minute, 1]);
    const nodes = site({
      a: times,
      b: [
        [1, 11],
        [4, 20],
        [8, 30],
      ],
    });
    const p = parameter(nodes, program(secondaryInputs, runMode));
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows(...(expected as unknown as [number, number][])));
  });

  test('texts are not interpolated; a Number read as BOOLEAN is true or false', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [2, 1],
        [4, 1],
      ],
      b: [
        [0, 0],
        [3, 5],
        [9, 0],
      ],
    });
    const text = service.peers.make('point.TextPoint', {
      name: 'Word',
      parent: nodes.source,
      valueType: ValueType.VALUE_TYPE_TEXT,
    });
    service.historic.put(text.nodeId, [
      [at(0), 'dry'],
      [at(3), 'wet'],
      [at(9), 'dry'],
    ]);
    const code = "NUMBER('A'); return TEXT('Word').currentValue + ' ' + BOOLEAN('B').currentValue";
    const p = parameter(nodes, { code }, ValueType.VALUE_TYPE_TEXT);
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 'dry false'], [2, 'dry false'], [4, 'wet true']));
  });

  test('values are transformed; time and quality are those of the record', async () => {
    const nodes = site();
    const scaled = service.peers.make('point.NumberPoint', { name: 'Scaled', parent: nodes.source, multiplier: 10 });
    service.historic.put(scaled.nodeId, [[at(0), 1.5, 3]]);
    const p = parameter(nodes, {
      code: "var s = NUMBER('Scaled'); return {value: s.currentValue + s.currentQuality, quality: s.currentQuality, time: s.currentTime + 60000}",
    });
    await service.save(p);
    expect([...service.historic.of(p.nodeId)]).toEqual([[at(1), { value: 18, quality: 3 }]]);
  });

  test('records without a value are no input', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [1, null, 7],
        [2, 3],
      ],
      b: [
        [0, 5],
        [2, null, 7],
      ],
    });
    const p = parameter(nodes, { code: SUM, secondaryInputs: 'RETAIN' });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 6]));
    await put(nodes.b, [3, 9]);
    expect(valuesOf(p)).toEqual(rows([0, 6], [2, 8]));
  });

  test('an input far denser than the first one is read in pieces, with the same results', async () => {
    const nodes = site({ a: Array.from({ length: 30 }, (_, n): [number, number] => [n * 60, n]) });
    service.historic.put(
      nodes.b.nodeId,
      Array.from({ length: 30 * 3_600 }, (_, n) => [T0 + n * 1_000 + 500, n] as const),
    );
    const p = parameter(nodes, { code: "NUMBER('A'); return NUMBER('B').currentValue" });
    service.historic.largest = 0;
    await service.save(p);
    expect(valuesOf(p)).toEqual(Array.from({ length: 29 }, (_, n) => [at((n + 1) * 60), (n + 1) * 3_600 - 0.5]));
    expect(service.historic.largest).toBeLessThanOrEqual(20_000);
  });
});

describe('a document of several days, of which the store shows the last days before the first ones', () => {
  const DAY = 24 * 60;
  const week = (from: number): Given[] => Array.from({ length: 7 }, (_, n) => [(from + n) * DAY, from + n]);
  const days = (count: number, valueOn: (day: number) => number) =>
    rows(...Array.from({ length: count }, (_, day): [number, number] => [day * DAY, valueOn(day)]));

  /** The store has all of a series whenever it is asked for the second time, and shows one rest more by then. */
  function showsLater(node: NodeConfig, ...rests: (readonly Given[])[]): void {
    let asked = 0;
    service.historic.isStored = (nodeId) => {
      if (nodeId !== node.nodeId) return true;
      asked += 1;
      if (asked % 2 === 1) return false;
      service.historic.put(node.nodeId, recordsOf(rests.shift() ?? []));
      return true;
    };
  }
  /** Counts how often the store is asked whether it has all. */
  function counted(): { asked: number } {
    const count = { asked: 0 };
    service.historic.isStored = () => {
      count.asked += 1;
      return true;
    };
    return count;
  }
  afterEach(() => {
    service.historic.isStored = () => true;
  });

  test.each([
    ['the first input', 'a', 'b'],
    ['another input', 'b', 'a'],
  ] as const)('no day is left out: %s', async (_, late, early) => {
    const nodes = site({ a: [[0, 0]], b: [[0, 0]] });
    const p = parameter(nodes, { code: SUM });
    await service.save(p);
    service.historic.put(nodes[early].nodeId, recordsOf([...week(1), ...week(8), ...week(15)]));
    showsLater(nodes[late], week(8));
    await put(nodes[late], ...week(1), ...week(15));
    expect(valuesOf(p)).toEqual(days(22, (day) => 2 * day));
  });

  test('computing anew leaves out none either', async () => {
    const nodes = site({ a: [...week(0), ...week(14)] });
    showsLater(nodes.a, week(7));
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    expect(valuesOf(p)).toEqual(days(21, (day) => day));
  });

  test('a second document that comes meanwhile is whole as well', async () => {
    const nodes = site({ a: [[0, 0], ...week(1), ...week(22)] });
    showsLater(nodes.a, week(15), week(8));
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    expect(valuesOf(p)).toEqual(days(29, (day) => day));
  });

  test('records of one day are not waited for', async () => {
    const nodes = site({ a: [[0, 0]] });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    const count = counted();
    await put(nodes.a, [60, 1], [DAY - 1, 2]);
    expect([valuesOf(p), count]).toEqual([rows([0, 0], [60, 1], [DAY - 1, 2]), { asked: 0 }]);
    await put(nodes.a, [DAY, 3]);
    expect(valuesOf(p)).toHaveLength(4);
    // A step that a busy machine ends is repeated, and asks again.
    expect(count.asked).toBeGreaterThan(0);
  });
});

test('records of types that the filter does not name are invisible (rule 3)', async () => {
  const nodes = site({
    a: [
      [0, 1],
      [1, 2, BAD],
      [2, 3],
    ],
    b: [
      [0, 10],
      [2, 30, BAD],
      [4, 50],
    ],
  });
  const p = parameter(nodes, { code: SUM, qualityFilter: ['GOOD', 'UNCERTAIN'] });
  const all = parameter(nodes, { code: SUM });
  await service.save(p, all);
  expect(valuesOf(p)).toEqual(rows([0, 11], [2, 33]));
  expect(valuesOf(all)).toEqual(rows([0, 11], [1, 22], [2, 33]));
});

describe('aggregates (rule 4)', () => {
  const records = {
    a: [
      [0, 1],
      [30, 2],
      [60, 4],
      [90, 8],
      [150, 16],
    ] as [number, number][],
  };

  test('PARTIAL: of the records until the time', async () => {
    const nodes = site(records);
    const p = parameter(nodes, { code: "return NUMBER('A;TOTAL;H;1H').currentValue" });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 1], [30, 3], [60, 4], [90, 12], [150, 16]));
  });

  test('a percentile says in parentheses which', async () => {
    const nodes = site(records);
    const p = parameter(nodes, { code: "return NUMBER('A;PERCENTILE(25);H;1H').currentValue" });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 1], [30, 1.25], [60, 4], [90, 5], [150, 16]));
  });

  test('COMPLETE: at the beginning of each interval that is over, as the results of an aggregate', async () => {
    const nodes = site(records);
    const p = parameter(nodes, { code: "return NUMBER('A;TOTAL;H;1H').currentValue", aggregateInputs: 'COMPLETE' });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 3], [60, 12]));
    await put(nodes.a, [300, 1]);
    expect(valuesOf(p)).toEqual(rows([0, 3], [60, 12], [120, 16]));
  });

  test('COMPLETE: a time waits until the interval of another input is over', async () => {
    const nodes = site({
      ...records,
      b: [
        [30, 5],
        [100, 7],
      ],
    });
    const p = parameter(nodes, {
      code: "return NUMBER('B').currentValue * 100 + NUMBER('A;TOTAL;H;1H').currentValue",
      aggregateInputs: 'COMPLETE',
    });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([30, 503], [100, 712]));
    await put(nodes.b, [160, 9]);
    expect(valuesOf(p)).toHaveLength(2);
    await put(nodes.a, [181, 0]);
    expect(valuesOf(p)).toEqual(rows([30, 503], [100, 712], [160, 916]));
  });

  test('an interval that cannot be read is found when the program is saved', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: "return NUMBER('A;TOTAL;H;often').currentValue" });
    await service.save(p);
    expect(service.announced(p)).toEqual([expect.stringContaining('interval: must be a period')]);
  });
});

describe('circles (rule 5)', () => {
  test('a chain is computed in its order; one that closes is refused', async () => {
    const nodes = site();
    const make = (name: string, code: string) =>
      service.peers.make('point.NumberProcessPoint', { name, parent: nodes.source, process: { code } });
    const first = make('First', "return NUMBER('A').currentValue + 1");
    const second = make('Second', "return NUMBER('First').currentValue * 10");
    await service.save(first, second);
    await put(nodes.a, [0, 1], [1, 2]);
    expect(valuesOf(second)).toEqual(rows([0, 20], [1, 30]));
    await change(first, { code: "return NUMBER('Second').currentValue" });
    expect(service.announced(first)).toEqual(['First uses itself: First → Second → First']);
    await put(nodes.a, [2, 3]);
    expect(valuesOf(first)).toHaveLength(2);
    await change(first, { code: "return NUMBER('A').currentValue + 2" });
    expect(service.announced(first)).toEqual(['First uses itself: First → Second → First', '']);
    expect(valuesOf(second)).toEqual(rows([0, 30], [1, 40], [2, 50]));
  });

  test('itself, through a rating and through a processor', async () => {
    const nodes = site();
    const own = service.peers.make('point.NumberProcessPoint', {
      name: 'Own',
      parent: nodes.source,
      process: { code: "return NUMBER('Own').currentValue" },
    });
    await service.save(own);
    expect(service.announced(own)).toEqual(['Own uses itself: Own → Own (line 1)']);
    const level = service.peers.make('point.NumberProcessPoint', {
      name: 'Level',
      parent: nodes.source,
      process: { code: "return NUMBER('Flow').currentValue" },
    });
    const flow = service.peers.make('point.NumberRatingPoint', {
      name: 'Flow',
      parent: nodes.source,
      ratingInput: level.nodeId,
    });
    await service.save(flow, level);
    expect(service.announced(level)).toEqual(['Level uses itself: Level → Flow → Level']);
    const p = processor(nodes, { code: "NUMBER('Out').currentValue = NUMBER('A').currentValue" });
    await service.save(p);
    const back = service.peers.make('point.NumberProcessPoint', {
      name: 'Back',
      parent: nodes.source,
      process: { code: `return NUMBER('{${output(p, 'Out').nodeId}}').currentValue` },
    });
    await service.save(back);
    await change(p, { code: "NUMBER('Out').currentValue = NUMBER('Back').currentValue" });
    expect(service.announced(p)).toEqual(['Processor uses itself: Processor → Back → Processor']);
  });
});

describe('a saved program (rule 6)', () => {
  test.each([
    ['no such node', "return 1\n+ NUMBER('Nowhere').currentValue", "no node 'Nowhere' (line 2)"],
    ['the text', 'return 1;\nvar %% = 2', 'Unexpected token (line 2)'],
    ['another type', "return TEXT('A').currentValue", "TEXT('A') names a node of type NUMBER (line 1)"],
    [
      'an aggregate that is none',
      "return NUMBER('A;CHANGE;D;1D').currentValue",
      "'CHANGE' is no aggregate of an interval (line 1)",
    ],
    [
      'a percentile that says not which',
      "return NUMBER('A;PERCENTILE;D;1D').currentValue",
      'PERCENTILE is written with a number from 0 to 100, such as PERCENTILE(90) (line 1)',
    ],
    [
      'a percentile beyond the last',
      "return NUMBER('A;PERCENTILE(101);D;1D').currentValue",
      'PERCENTILE is written with a number from 0 to 100, such as PERCENTILE(90) (line 1)',
    ],
    [
      'a number of what takes none',
      "return NUMBER('A;TOTAL(90);D;1D').currentValue",
      "'TOTAL' is written without parentheses (line 1)",
    ],
    ['no input', 'return 1', 'the program has no input that could start it'],
  ])('is checked: %s', async (_what, code, message) => {
    const nodes = site({ a: [[0, 1]] });
    const p = parameter(nodes, { code });
    await service.save(p);
    expect(service.announced(p)).toEqual([message]);
    expect(service.historic.emptied).not.toContain(p.nodeId);
    await change(p, { code: "return NUMBER('A').currentValue" });
    expect(service.announced(p)).toEqual([message, '']);
    expect(valuesOf(p)).toEqual(rows([0, 1]));
  });

  test('computes the whole history anew, silently up to what was there; the same program again does not', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [1, 2],
      ],
    });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    const announced = () =>
      service.historic.written.filter(({ nodeId }) => nodeId === p.nodeId).map(({ isAnnounced }) => isAnnounced);
    expect(announced()).toEqual([false, false]);
    await put(nodes.a, [2, 3]);
    expect(announced()).toEqual([false, false, true]);
    await service.save(service.peers.keep(p));
    expect(announced()).toHaveLength(3);
    await change(p, { code: "return -NUMBER('A').currentValue" });
    expect(valuesOf(p)).toEqual(rows([0, -1], [1, -2], [2, -3]));
    expect(service.messages(p)).toEqual(['Recomputed 2 records', 'Recomputed 3 records']);
    expect(service.recomputed.filter(({ nodeId }) => nodeId === p.nodeId)).toHaveLength(2);
  });

  test('follows its shared code, a transform, another name and what becomes of its inputs', async () => {
    const nodes = site({ a: [[0, 1]] });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue + (typeof more === 'undefined' ? 0 : more)" });
    await service.save(p);
    service.peers.sharedCode = 'var more = 100;';
    await service.save(service.peers.keep({ ...nodes.workspace, sharedCodeDigest: 'other' }));
    expect(valuesOf(p)).toEqual(rows([0, 101]));
    service.peers.sharedCode = '';
    const { series } = nodes.a;
    if (series)
      await service.save(
        service.peers.keep({ ...nodes.a, series: { ...series, multiplier: 5 } }),
        service.peers.keep(nodes.workspace),
      );
    expect(valuesOf(p)).toEqual(rows([0, 5]));
    await service.save(service.peers.keep({ ...nodes.a, name: 'Renamed' }));
    expect(service.announced(p)).toEqual(["no node 'A' (line 1)"]);
    await service.save(service.peers.keep(nodes.a));
    expect(service.announced(p)).toEqual(["no node 'A' (line 1)", '']);
    await service.remove(nodes.a);
    expect(service.announced(p).at(-1)).toBe("no node 'A' (line 1)");
  });

  test('NODES takes nodes that come later', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [1, 1],
      ],
      b: [
        [0, 10],
        [1, 10],
      ],
    });
    const code = "NUMBER('A'); return NODES('^[AB]$|^New').reduce(function (s, n) { return s + n.currentValue; }, 0)";
    const p = parameter(nodes, { code });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 11], [1, 11]));
    const made = service.peers.make('point.NumberPoint', { name: 'New', parent: nodes.source });
    service.historic.put(made.nodeId, [
      [at(0), 100],
      [at(1), 100],
    ]);
    await service.save(made);
    expect(valuesOf(p)).toEqual(rows([0, 111], [1, 111]));
  });

  test('an input that was itself computed anew makes a process parameter anew', async () => {
    const nodes = site({ a: [[0, 1]] });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    service.historic.put(nodes.a.nodeId, [[at(0), 7]]);
    await service.seriesRecomputed(nodes.a);
    expect(valuesOf(p)).toEqual(rows([0, 7]));
  });

  /** The program has evaluated the first record; the others are there when the input says that it was computed anew. */
  test.each<[string, number | undefined, [time: number, value: number][], boolean[]]>([
    ['all records of the input are new', at(-9), [[0, 1]], [false, true, true]],
    ['it is not known which are', undefined, [[0, 1]], [false, true, true]],
    ['the last is new', at(2), [[0, 1]], [false, false, true]],
    ['none is new', at(3), [[0, 1]], [false, false, false]],
    ['all are new, and the program had evaluated none', at(-9), [], [true, true, true]],
    ['it is not known, and the program had evaluated none', undefined, [], [false, false, false]],
  ])(
    'an input was computed anew, new records that were not evaluated yet are announced: %s',
    async (_what, newsFromMs, before, announced) => {
      const nodes = site({ a: before });
      const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
      await service.save(p);
      const { length } = service.historic.written;
      service.historic.put(
        nodes.a.nodeId,
        [0, 1, 2].map((n) => [at(n), n]),
      );
      await service.seriesRecomputed(nodes.a, newsFromMs);
      expect(service.historic.written.slice(length).map(({ isAnnounced }) => isAnnounced)).toEqual(announced);
      const announcesFromMs = service.recomputed.at(-1)?.newsFromMs ?? Number.NaN;
      expect([0, 1, 2].map((n) => at(n) >= announcesFromMs)).toEqual(announced);
      // They were reported, and are not reported again.
      await service.seriesRecomputed(nodes.a, newsFromMs);
      expect(service.historic.written.slice(length + 3).map(({ isAnnounced }) => isAnnounced)).toEqual([
        false,
        false,
        false,
      ]);
    },
  );

  test('acquire now reports what had come and was not evaluated yet', async () => {
    const nodes = site({ a: [[0, 1]] });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    const { length } = service.historic.written;
    service.historic.put(nodes.a.nodeId, [[at(1), 7]]);
    await service.acquire(nodes.source);
    expect(service.historic.written.slice(length).map(({ isAnnounced }) => isAnnounced)).toEqual([false, true]);
  });

  test('acquire now: parameters of a source are computed anew, a processor runs once', async () => {
    const nodes = site({ a: [[0, 1]] });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    service.historic.put(nodes.a.nodeId, [[at(-5), 7]]);
    await service.acquire(nodes.source);
    expect(valuesOf(p)).toEqual(rows([-5, 7], [0, 1]));
    expect(service.events.find(({ nodeId }) => nodeId === nodes.source.nodeId)).toMatchObject({
      message: 'Acquire requested',
      level: 'INFO',
      eventType: 'ACQUISITION',
      username: 'jo@example.org',
    });
    const q = processor(nodes, { code: "NUMBER('O').currentValue = NUMBER('A').currentValue" });
    await service.save(q);
    service.clock.now = at(60);
    await service.acquire(q);
    expect(valuesOf(output(q, 'O'))).toEqual(rows([60, 1]));
    await put(nodes.a, [61, 2]);
    expect(valuesOf(output(q, 'O'))).toEqual(rows([60, 1], [61, 2]));
    await expect(service.acquire(nodes.a)).rejects.toMatchObject({ kind: 'failed_precondition', reason: 'NO_PROGRAM' });
    // The service has not heard of this new processor yet.
    await service.acquire(processor(nodes, { code: "NUMBER('A').currentValue; NUMBER('New').currentValue = 1" }));
    await service.save(service.peers.keep(q));
    await expect(service.acquire(q, caller(q.ownerId, { permission: 'READ_ONLY' }))).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    await expect(service.acquire(q, caller(newObjectId()))).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('deleting the history of a process parameter keeps its position and forgets its last result', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [1, 2],
      ],
    });
    const p = parameter(nodes, { code: "return (THIS.currentValue || 0) + NUMBER('A').currentValue" });
    await service.save(p);
    expect(valuesOf(p)).toEqual(rows([0, 1], [1, 3]));
    await service.deleteHistory(p);
    await put(nodes.a, [2, 10]);
    await put(nodes.a, [3, 10]);
    expect(valuesOf(p)).toEqual(rows([2, 10], [3, 20]));
  });
});

describe('runs that fail (rule 7)', () => {
  const FAILING = "var a = NUMBER('A').currentValue; if (a < 0) throw new Error('negative'); return a";

  test('are left out and reported, once, until one works', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: FAILING });
    await service.save(p);
    await put(nodes.a, [0, 1], [1, -1]);
    await put(nodes.a, [2, -1]);
    expect(service.announced(p)).toEqual(['negative (line 1)']);
    await put(nodes.a, [3, 5]);
    expect(service.announced(p)).toEqual(['negative (line 1)', '']);
    expect(valuesOf(p)).toEqual(rows([0, 1], [3, 5]));
  });

  test('a time that no record can have fails the run, not the writing of the others', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: "var a = NUMBER('A').currentValue; return a < 0 ? {time: 9e15, value: 1} : a" });
    await service.save(p);
    await put(nodes.a, [0, 1], [1, -1], [2, 3]);
    expect(valuesOf(p)).toEqual(rows([0, 1], [2, 3]));
    expect(service.announced(p)).toEqual([
      'the time of the result must be from 1800-01-01 to before 2262-04-11, and is none',
      '',
    ]);
  });

  test('a result that the store has no room for raises the alarm, and the next one that it has clears it', async () => {
    const nodes = site();
    const p = parameter(nodes, {
      code: "var a = NUMBER('A').currentValue; return a < 0 ? {time: 32503680000000, value: 1} : a",
    });
    await service.save(p);
    await put(nodes.a, [0, 1], [1, -1]);
    const text = 'the time of the result must be from 1800-01-01 to before 2262-04-11, and is 3000-01-01T00:00:00.000Z';
    expect(service.announced(p)).toEqual([text]);
    await put(nodes.a, [2, 3]);
    expect(service.announced(p)).toEqual([text, '']);
    expect(valuesOf(p)).toEqual(rows([0, 1], [2, 3]));
  });

  test('100 in a row suspend it, over pages, until the next hour has begun and input comes', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: FAILING });
    await service.save(p);
    service.clock.now = at(10);
    const before = service.sandbox.runs;
    await put(nodes.a, ...Array.from({ length: 60 }, (_, n): [number, number] => [n, -1]));
    await put(nodes.a, ...Array.from({ length: 60 }, (_, n): [number, number] => [60 + n, -1]));
    await put(nodes.a, [200, 1]);
    expect(service.sandbox.runs - before).toBe(100);
    service.clock.now = at(60) + 1;
    await put(nodes.a, [201, 2]);
    expect(valuesOf(p)).toEqual(rows([200, 1], [201, 2]));
  });

  test('saving it ends the suspension', async () => {
    const nodes = site({ a: Array.from({ length: 150 }, (_, n): [number, number] => [n, -1]) });
    const p = parameter(nodes, { code: FAILING });
    await service.save(p);
    await change(p, { code: "return NUMBER('A').currentValue" });
    expect(valuesOf(p)).toHaveLength(150);
    expect(service.announced(p)).toEqual(['negative (line 1)', '']);
  });
});

describe('how a series is computed', () => {
  test('is reported with its inputs, and with all that follows through programs, ratings and processors', async () => {
    const nodes = site({ a: [[0, 1]], b: [[0, 2]] });
    const p = parameter(nodes, { code: SUM });
    const flow = service.peers.make('point.NumberRatingPoint', {
      name: 'Flow',
      parent: nodes.source,
      ratingInput: p.nodeId,
    });
    await service.save(p, flow);
    const q = processor(nodes, { code: "NUMBER('Out').currentValue = NUMBER('Source/Flow').currentValue" });
    service.peers.processes.set(q.nodeId, {
      code: `NUMBER('Out').currentValue = NUMBER('{${flow.nodeId}}').currentValue`,
    });
    await service.save(service.peers.keep(q));
    const shown = ({ nodeId, name, path }: NodeConfig) => ({ _id: nodeId, name, path });
    expect(await service.computation(p)).toMatchObject({
      state: 'RUNNING',
      message: null,
      evaluatedUntil: '2024-01-01T00:00:00.000Z',
      inputs: [shown(nodes.a), shown(nodes.b)],
      outputs: [shown(p)],
      hasMore: false,
      followers: [
        { ...shown(flow), kind: 'RATING', state: 'NONE' },
        { ...shown(q), kind: 'PROGRAM', state: 'RUNNING' },
      ],
    });
    expect(await service.computation(nodes.a)).toMatchObject({
      state: 'NONE',
      inputs: [],
      outputs: [],
      followers: [{ name: 'P' }, { name: 'Flow' }, { name: 'Processor' }],
    });
    expect(await service.computation(flow)).toMatchObject({ inputs: [shown(p)], followers: [{ name: 'Processor' }] });
    expect((await service.computation(nodes.workspace)).followers.map(({ name }: NodeConfig) => name)).toEqual([
      'P',
      'Processor',
    ]);
    await expect(service.computation(p, caller(newObjectId()))).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('what is refused or suspended says why; a parameter that is asked for alone begins again', async () => {
    const nodes = site({ a: Array.from({ length: 150 }, (_, n): [number, number] => [n, -1]) });
    const gone = parameter(nodes, { code: "return NUMBER('Gone')" });
    const p = service.peers.make('point.NumberProcessPoint', {
      name: 'Q',
      parent: nodes.source,
      process: { code: "var a = NUMBER('A').currentValue; if (a < 0) throw new Error('negative'); return a" },
    });
    service.clock.now = at(10);
    await service.save(gone, p);
    expect(await service.computation(gone)).toMatchObject({ state: 'REFUSED', message: "no node 'Gone' (line 1)" });
    expect(await service.computation(p)).toMatchObject({
      state: 'SUSPENDED',
      message: 'negative (line 1)',
      suspendedUntil: '2024-01-01T01:00:00.000Z',
    });
    expect((await service.computation(nodes.workspace)).followers).toMatchObject([
      { name: 'Q', state: 'SUSPENDED' },
      { name: 'P', state: 'REFUSED' },
    ]);
    service.historic.put(nodes.a.nodeId, recordsOf(Array.from({ length: 150 }, (_, n): [number, number] => [n, 1])));
    await service.acquire(p);
    expect(await service.computation(p)).toMatchObject({ state: 'RUNNING', message: null });
    expect(valuesOf(p)).toHaveLength(150);
    // A change that nobody has heard of yet.
    service.peers.processes.set(p.nodeId, { code: 'return 1' });
    service.peers.keep(p);
    expect(await service.computation(p)).toMatchObject({ state: 'CHECKING', message: null });
  });
});

describe('shared code', () => {
  test('stands before every program of the Workspace', async () => {
    service.peers.sharedCode = 'function twice(x) { return 2 * x; }';
    const nodes = site({ a: [[0, 4]] });
    const p = parameter(nodes, { code: "return twice(NUMBER('A').currentValue)" });
    await service.save(p);
    service.peers.sharedCode = '';
    expect(valuesOf(p)).toEqual(rows([0, 8]));
  });
});

describe('what is not run', () => {
  test('a disabled processor, until it is enabled', async () => {
    const nodes = site();
    const p = processor(nodes, { code: "NUMBER('O').currentValue = NUMBER('A').currentValue" }, { isEnabled: false });
    await service.save(p);
    await put(nodes.a, [0, 1]);
    expect(valuesOf(output(p, 'O'))).toEqual([]);
    await expect(service.acquire(p)).rejects.toMatchObject({ reason: 'NO_PROGRAM' });
    if (p.source) await service.save(service.peers.keep({ ...p, source: { ...p.source, isEnabled: true } }));
    await put(nodes.a, [1, 2]);
    expect(valuesOf(output(p, 'O'))).toEqual(rows([0, 1], [1, 2]));
  });

  test('programs of a disabled account, until it is active again', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    await service.accountChanged(p.ownerId, 'DISABLED');
    await put(nodes.a, [0, 1]);
    expect(valuesOf(p)).toEqual([]);
    await service.accountChanged(p.ownerId, 'ACTIVE');
    expect(valuesOf(p)).toEqual(rows([0, 1]));
  });

  test('a program that was taken away; its processAlarm is cleared', async () => {
    const nodes = site({ a: [[0, 1]] });
    const p = parameter(nodes, { code: "return NUMBER('Nowhere').currentValue" });
    await service.save(p);
    service.peers.processes.delete(p.nodeId);
    await service.save(service.peers.keep(p));
    expect(service.announced(p)).toEqual(["no node 'Nowhere' (line 1)", '']);
  });
});

describe('accounts', () => {
  test('a node of another account is none without AUTH', async () => {
    const other = site({ a: [[0, 1]] });
    const nodes = site({ a: [[0, 1]] });
    const path = `NUMBER('{${other.a.nodeId}}').currentValue`;
    const p = parameter(nodes, { code: `return ${path}` });
    await service.save(p);
    expect(service.announced(p)).toEqual([`no node '{${other.a.nodeId}}' (line 1)`]);
    await change(p, { code: `AUTH('other', 'key'); return ${path}` });
    expect(valuesOf(p)).toEqual(rows([0, 1]));
  });

  test('a key of AUTH that is revoked ends the reading: it is looked at every minute', async () => {
    const other = site({ a: [[0, 1]] });
    const nodes = site();
    const p = parameter(nodes, { code: `AUTH('other', 'key'); return NUMBER('{${other.a.nodeId}}').currentValue` });
    await service.save(p);
    const { rows: left } = await service.database.query<{ s: number }>(
      'SELECT extract(epoch FROM check_time - now())::float AS s FROM programs WHERE needs_check AND node_id = $1',
      [p.nodeId],
    );
    expect(left[0]?.s).toBeGreaterThan(0);
    expect(left[0]?.s).toBeLessThanOrEqual(60);
    service.peers.keysAreGood = false;
    await service.database.query('UPDATE programs SET check_time = now() WHERE node_id = $1', [p.nodeId]);
    await service.save(service.peers.keep(nodes.a));
    await put(other.a, [1, 2]);
    service.peers.keysAreGood = true;
    expect(service.announced(p)).toEqual([`no node '{${other.a.nodeId}}' (line 1)`]);
    expect(valuesOf(p)).toEqual(rows([0, 1]));
  });

  test('an output of another account is never written', async () => {
    const other = site();
    const nodes = site();
    const p = processor(nodes, {
      code: `AUTH('other', 'key'); NUMBER('A').currentValue; NUMBER('{${other.b.nodeId}}').currentValue = 1`,
    });
    await service.save(p);
    await put(nodes.a, [0, 1]);
    await put(other.b, [0, 5]);
    expect(valuesOf(other.b)).toEqual(rows([0, 5]));
    expect(service.announced(p)).toEqual(['no output (line 1)']);
  });

  test('take turns: one with many programs does not hold up another', async () => {
    const crowd = site();
    const made = Array.from({ length: 30 }, (_, n) =>
      service.peers.make('point.NumberProcessPoint', {
        name: `P${n}`,
        parent: crowd.source,
        process: { code: "return NUMBER('A').currentValue" },
      }),
    );
    const nodes = site();
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(...made, p);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    service.sandbox.accounts.length = 0;
    service.sandbox.before = () => gate;
    await service.write(crowd.a.nodeId, [[at(0), 1]], false);
    // Both loops have one of the crowd in hand.
    await until(async () => service.sandbox.accounts.length === 2);
    await service.write(nodes.a.nodeId, [[at(0), 1]], false);
    await until(async () => (await service.bus.lag('APPLIED'))['processing-0'] === 0);
    open();
    await service.idle();
    service.sandbox.before = async () => {};
    expect(service.sandbox.accounts.indexOf(nodes.a.ownerId)).toBeLessThan(8);
  });
});

describe('while others fail', () => {
  test('inputs that are deleted while it runs end in a processAlarm, and nothing else is harmed', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    const q = service.peers.make('point.NumberProcessPoint', {
      name: 'Q',
      parent: nodes.source,
      process: { code: "return NUMBER('B').currentValue" },
    });
    await service.save(p, q);
    let isGone = false;
    service.sandbox.before = async ({ program }) => {
      if (isGone || !program.code.includes("'A'")) return;
      isGone = true;
      service.peers.all.delete(nodes.a.nodeId);
    };
    await service.write(nodes.a.nodeId, [[at(0), 1]], false);
    await until(async () => isGone);
    await service.write(nodes.a.nodeId, [[at(1), 1]], false);
    await service.remove(nodes.a);
    service.sandbox.before = async () => {};
    await put(nodes.b, [0, 5]);
    expect(service.announced(p)).toEqual(["no node 'A' (line 1)"]);
    expect(valuesOf(q)).toEqual(rows([0, 5]));
  });

  test('an output that is gone is created again', async () => {
    const nodes = site();
    const p = processor(nodes, { code: "NUMBER('O').currentValue = NUMBER('A').currentValue" });
    await service.save(p);
    await service.remove(output(p, 'O'));
    await put(nodes.a, [0, 1]);
    expect(valuesOf(output(p, 'O'))).toEqual(rows([0, 1]));
  });

  test('historic away: it goes on where it was', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: "return (THIS.currentValue || 0) + NUMBER('A').currentValue" });
    await service.save(p);
    service.historic.isAway = true;
    await service.write(
      nodes.a.nodeId,
      [
        [at(0), 1],
        [at(1), 1],
      ],
      false,
    );
    await until(
      async () => (await service.database.query('SELECT FROM programs WHERE retry_time > now()')).rowCount > 0,
    );
    service.historic.isAway = false;
    await service.idle();
    expect(valuesOf(p)).toEqual(rows([0, 1], [1, 2]));
    expect(service.announced(p)).toEqual([]);
  });

  test('a step that dies after its write writes the same again', async () => {
    const nodes = site();
    const p = parameter(nodes, { code: "return (THIS.currentValue || 0) + NUMBER('A').currentValue" });
    await service.save(p);
    let deaths: number = 1;
    service.historic.onWrite = (phase) => {
      if (phase === 'before' || deaths === 0) return;
      deaths -= 1;
      throw unavailable('STOPPING');
    };
    await put(nodes.a, [0, 1], [1, 1]);
    service.historic.onWrite = () => {};
    expect(valuesOf(p)).toEqual(rows([0, 1], [1, 2]));
    expect(service.historic.written.filter(({ nodeId }) => nodeId === p.nodeId)).toHaveLength(4);
  });
});

describe('the metric of the oldest unprocessed records gets older while', () => {
  /** Shows what a scrape gets that nobody has asked before. */
  const oldestSeconds = async () => {
    const end = reportUnprocessed(service.database);
    const { text } = await metricsPage().finally(end);
    return Number(/^catchment_oldest_unprocessed_seconds (.+)$/m.exec(text)?.[1] ?? Number.NaN);
  };
  const sql = (text: string) => service.database.query(text);

  test.each([
    [
      'PostgreSQL refuses to absorb marks',
      async () => {
        await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
        await sql('CREATE TRIGGER refuse BEFORE UPDATE ON programs FOR EACH ROW EXECUTE FUNCTION refuse()');
      },
      async () => void (await sql('DROP FUNCTION refuse CASCADE')),
    ],
    [
      'historic is away',
      async () => {
        service.historic.isAway = true;
      },
      async () => {
        service.historic.isAway = false;
      },
    ],
  ])('%s', async (_what, breakIt, mendIt) => {
    const nodes = site();
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    expect(await oldestSeconds()).toBe(0);
    await breakIt();
    try {
      await service.write(nodes.a.nodeId, [[at(0), 1]], false);
      await until(async () => (await oldestSeconds()) > 1);
    } finally {
      await mendIt();
    }
    await service.idle();
    expect(await oldestSeconds()).toBe(0);
    expect(valuesOf(p)).toEqual(rows([0, 1]));
  });
});

describe('trying a program out', () => {
  const range = { startTime: new Date(at(0)).toISOString(), endTime: new Date(at(100)).toISOString() };

  test('runs it over a range and writes nothing', async () => {
    const nodes = site({
      a: [
        [-1, 9],
        [0, 1],
        [1, -1],
        [2, 3],
      ],
    });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    const before = service.historic.written.length;
    const code =
      "var a = NUMBER('A').currentValue; if (a < 0) throw new Error('negative'); return {value: a * 2, quality: 5}";
    expect(await service.test(p, { code, ...range })).toEqual({
      records: [
        { ts: '2024-01-01T00:00:00.000Z', value: 2, quality: 5 },
        { ts: '2024-01-01T00:02:00.000Z', value: 6, quality: 5 },
      ],
      errors: [{ ts: '2024-01-01T00:01:00.000Z', message: 'negative', line: 1 }],
      inputs: [{ _id: nodes.a.nodeId, name: 'A', path: 'A', line: 1 }],
      outputs: [{ _id: p.nodeId, name: 'P' }],
      console: [],
      runs: 3,
      failed: 1,
      elapsedMs: 2,
      isComplete: true,
    });
    expect(await service.test(p, { ...range, limit: 2 })).toMatchObject({ runs: 2, failed: 0, isComplete: false });
    // The answer has as many as there are, up to the last one.
    const untilLast = { ...range, endTime: new Date(at(2)).toISOString() };
    for (const limit of [3, 4])
      expect(await service.test(p, { ...untilLast, limit })).toMatchObject({ runs: 3, isComplete: true });
    for (const limit of [1, 2])
      expect(await service.test(p, { ...untilLast, limit })).toMatchObject({ runs: limit, isComplete: false });
    expect(service.historic.written).toHaveLength(before);
  });

  test('runs the first time alone, so that a program that takes all the time of a test says why', async () => {
    const nodes = site({ a: [0, 1, 2, 3, 4, 5, 6, 7].map((minute) => [minute, minute] as const) });
    const p = parameter(nodes, { code: "return NUMBER('A').currentValue" });
    await service.save(p);
    const sizes: number[] = [];
    service.sandbox.before = async ({ program, times }) => {
      if (program.code.includes('* 2')) sizes.push(times.length);
    };
    await service.test(p, { code: "return NUMBER('A').currentValue * 2", ...range });
    service.sandbox.before = async () => {};
    expect(sizes).toEqual([1, 4, 3]);
  });

  test('over the last records of the first input, with what the inputs were and another shared code', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [1, 2],
        [3, 4],
      ],
      b: [
        [0, 10],
        [4, 50],
      ],
    });
    const p = parameter(nodes, { code: SUM });
    await service.save(p);
    const { endTime } = range;
    const sharedCode = 'function negative(x) { return -x; }';
    const code = "return negative(\n  NUMBER('A').currentValue) + NUMBER('B').currentValue";
    expect(await service.test(p, { code, sharedCode, last: 2, endTime, withInputs: true })).toMatchObject({
      records: [{ value: 18 }, { value: 36 }],
      inputs: [
        { name: 'A', path: 'A', line: 2, values: [2, 4] },
        { name: 'B', path: 'B', line: 2, values: [20, 40] },
      ],
      times: ['2024-01-01T00:01:00.000Z', '2024-01-01T00:03:00.000Z'],
      runs: 2,
      isComplete: true,
    });
    expect(await service.test(p, { last: 9, endTime })).toMatchObject({ runs: 3, isComplete: true });
    const q = processor(nodes, { code: "NUMBER('A')" }, { intervalSeconds: 60 });
    expect(
      await service.test(q, { code: "NUMBER('New').currentValue = 1", runMode: 'SCHEDULE', last: 3, endTime }),
    ).toMatchObject({ runs: 3, outputs: [{ _id: null, name: 'New' }], inputs: [] });
  });

  test('of a processor: declared outputs are not created, ticks are those of its schedule', async () => {
    const nodes = site({
      a: [
        [0, 1],
        [12, 2],
      ],
    });
    const p = processor(nodes, { code: "NUMBER('A')" }, { intervalSeconds: 600 });
    const code = "NUMBER('New').currentValue = NUMBER('A').currentValue";
    const { records } = await service.test(p, {
      code,
      ...range,
      endTime: new Date(at(20)).toISOString(),
      runMode: 'SCHEDULE',
      secondaryInputs: 'RETAIN',
    });
    expect(records).toEqual([
      { ts: '2024-01-01T00:00:00.000Z', output: 'New', value: 1 },
      { ts: '2024-01-01T00:10:00.000Z', output: 'New', value: 1 },
      { ts: '2024-01-01T00:20:00.000Z', output: 'New', value: 2 },
    ]);
    expect(service.peers.child(p.nodeId, 'New')).toBeUndefined();
  });

  test.each([
    ['a body that is no object', [], 'INVALID_BODY'],
    ['an unknown field', { ...range, speed: 3 }, 'INVALID_ATTRIBUTE'],
    ['no range', { endTime: range.endTime }, 'INVALID_TIME'],
    ['a reversed range', { startTime: range.endTime, endTime: range.startTime }, 'INVALID_RANGE'],
    ['a limit of 0', { ...range, limit: 0 }, 'INVALID_ATTRIBUTE'],
    ['a limit over 10 000', { ...range, limit: 10_001 }, 'INVALID_ATTRIBUTE'],
    ['so many of the last that there are none', { endTime: range.endTime, last: 0 }, 'INVALID_ATTRIBUTE'],
    ['two beginnings', { ...range, last: 5 }, 'INVALID_RANGE'],
    ['a mode that is none', { ...range, runMode: 'SOMETIMES' }, 'INVALID_ATTRIBUTE'],
    ['a filter of nothing', { ...range, qualityFilter: [] }, 'INVALID_ATTRIBUTE'],
    ['a code too long', { ...range, code: 'x'.repeat(65_537) }, 'INVALID_ATTRIBUTE'],
    ['a text that is no program', { ...range, code: 'return %%' }, 'INVALID_PROGRAM'],
    ['a schedule of a parameter', { ...range, runMode: 'SCHEDULE' }, 'INVALID_ATTRIBUTE'],
  ])('refuses %s', async (_what, body, reason) => {
    const p = parameter(site(), { code: "return NUMBER('A').currentValue" });
    await expect(service.test(p, body)).rejects.toMatchObject({ kind: 'invalid_argument', reason });
  });

  test('needs MODIFY and CONFIGURE', async () => {
    const p = parameter(site(), { code: "return NUMBER('A').currentValue" });
    const rights = { grants: [{ permissions: ['VIEW', 'EDIT_DATA'], workspaceIds: [p.workspaceId] }] };
    await expect(service.test(p, range, caller(p.ownerId, { permission: 'READ_ONLY' }))).rejects.toMatchObject({
      reason: 'MODIFY_NEEDED',
    });
    await expect(service.test(p, range, caller(p.ownerId, { rights }))).rejects.toMatchObject({
      reason: 'PERMISSION_NEEDED',
    });
    await expect(service.test(p, range, caller(newObjectId()))).rejects.toMatchObject({ kind: 'not_found' });
  });
});

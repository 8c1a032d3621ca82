import { unavailable } from '@catchment/errors';
import { seedOf } from '@catchment/testkit/amount';
import { evaluations, type ModelProgram, type ModelSeries } from './execution-model.ts';
import { type Service, startService } from './fixture.ts';

const SEED = seedOf('PROCESSING_SEED');
const CASES = Number(process.env.PROCESSING_CASES ?? 12);
const MINUTE = 60_000;
const T0 = Date.UTC(2024, 0, 1);
const BAD = 156;

let service: Service;
beforeAll(async () => {
  service = await startService({ loops: 3 });
});
afterAll(() => service?.close());

/** Mulberry32. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T };
}

const NAMES = ['A', 'B', 'C'];
const TOTALS = [undefined, undefined, { baseTime: 'H', interval: '1H' }, { baseTime: 'D', interval: '30M' }];

function randomProgram(random: ReturnType<typeof randomOf>): ModelProgram {
  const count = 1 + random.below(3);
  return {
    runMode: random.pick(['ALL_INPUTS', 'ANY_INPUT']),
    secondaryInputs: random.pick(['INTERPOLATED', 'RETAIN']),
    aggregateInputs: random.pick(['PARTIAL', 'COMPLETE']),
    isFiltered: random.below(2) === 0,
    inputs: NAMES.slice(0, count).map((series) => {
      const total = random.pick(TOTALS);
      return { series, ...(total && { total }) };
    }),
  };
}

/** Says what the inputs are, and counts its runs: a run too many, or in another order, is another result. */
const codeOf = ({ inputs }: ModelProgram): string => {
  const reads = inputs.map(
    ({ series, total }) =>
      `NUMBER('${series}${total ? `;TOTAL;${total.baseTime};${total.interval}` : ''}').currentValue`,
  );
  return `var x = [${reads.join(', ')}], s = 0; for (var i = 0; i < x.length; i++) s += (x[i] === undefined ? 0.25 : x[i]) * (i + 1);
    if (x[0] % 7 === 3) throw new Error('seven'); return (THIS.currentValue || 0) / 2 + s;`;
};
function expected(evaluated: ReturnType<typeof evaluations>, before: number | undefined) {
  let last = before;
  return evaluated.flatMap(({ timeMs, inputs }): [number, number][] => {
    const sum = inputs.reduce<number>((total, value, n) => total + (value ?? 0.25) * (n + 1), 0);
    if ((inputs[0] ?? Number.NaN) % 7 === 3) return [];
    last = (last ?? 0) / 2 + sum;
    return [[timeMs, last]];
  });
}

describe(`programs against a plain model, PROCESSING_SEED=${SEED}`, () => {
  test.each(Array.from({ length: CASES }, (_, n) => n))('case %i', async (index) => {
    const random = randomOf(SEED + index);
    const { peers, historic } = service;
    const model = randomProgram(random);
    const workspace = peers.make('Workspace');
    const source = peers.make('source.data.Jts', { parent: workspace });
    const nodes = new Map(NAMES.map((name) => [name, peers.make('point.NumberPoint', { name, parent: source })]));
    const all = new Map<string, ModelSeries>(NAMES.map((name) => [name, new Map()]));
    const put = async (name: string, timeMs: number, waits: boolean) => {
      const quality = random.below(6) === 0 ? BAD : undefined;
      // Records without a value are no input, whatever their quality.
      const value = random.below(12) === 0 ? undefined : random.below(100);
      const record = {
        value,
        ...((quality ?? (value === undefined ? 0 : undefined)) !== undefined && { quality: quality ?? 0 }),
      };
      all.get(name)?.set(timeMs, record);
      await service.write(
        nodes.get(name)?.nodeId ?? '',
        [[timeMs, value ?? null, ...(record.quality === undefined ? [] : [record.quality])]] as never,
        waits,
      );
    };
    const steps = { A: 1 + random.below(5), B: 1 + random.below(9), C: 1 + random.below(20) } as Record<string, number>;
    const clock: Record<string, number> = { A: 0, B: random.below(5), C: random.below(5) };
    // History that is there before the program, in any order.
    for (const name of NAMES)
      for (let n = random.below(40); n > 0; n -= 1) {
        clock[name] = (clock[name] ?? 0) + 1 + random.below(steps[name] ?? 1);
        await put(name, T0 + (clock[name] ?? 0) * MINUTE, false);
      }
    const { inputs: _, isFiltered, ...modes } = model;
    const process = { ...modes, code: codeOf(model), ...(isFiltered && { qualityFilter: ['GOOD', 'UNCERTAIN'] }) };
    // Steps are interrupted wherever it comes, die after their write, or before it.
    const kills = random.below(3) > 0;
    historic.onWrite = () => {
      if (kills && random.below(4) === 0) throw unavailable('STOPPING');
    };
    const p = peers.make('point.NumberProcessPoint', { name: 'P', parent: source, process });
    const check = async (what: string) => {
      historic.onWrite = () => {};
      await service.database.query(`UPDATE programs SET retry_time = '-infinity', check_time = '-infinity'`);
      await service.idle();
      const evaluated = evaluations(model, all, undefined, (quality) => quality === BAD);
      expect({ what, model, values: historic.values(p.nodeId) }).toEqual({
        what,
        model,
        values: expected(evaluated, undefined),
      });
    };
    await service.changed(p);
    await check('history');
    if (model.runMode === 'ANY_INPUT') return;
    // New records come in order within a series, and the series against each other in any.
    for (let n = 0; n < 60; n += 1) {
      const name = random.pick(NAMES);
      clock[name] = (clock[name] ?? 0) + 1 + random.below(steps[name] ?? 1);
      historic.onWrite = () => {
        if (kills && random.below(6) === 0) throw unavailable('STOPPING');
      };
      await put(name, T0 + (clock[name] ?? 0) * MINUTE, false);
      if (kills && random.below(20) === 0) await service.restart();
      if (kills && random.below(5) === 0) await service.database.query(`UPDATE programs SET retry_time = '-infinity'`);
    }
    await check('news');
  });

  test('there was something to run', () => expect(service.sandbox.runs).toBeGreaterThan(CASES));
});

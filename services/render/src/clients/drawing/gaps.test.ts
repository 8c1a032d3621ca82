import { gapMsOf, isGap } from '@catchment/dashboard-view';
import { seededRandom } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { chart, HOUR, noReports, START, series } from '../../../test/builders.ts';
import { callOf, parameterLink, parameterOf, reportOf } from '../../../test/report-fixture.ts';
import { markOf, scalesOf, textsOf, verticesOf } from '../../../test/svg-reading.ts';
import type { Chart } from '../../domain/chart.ts';
import type { Records } from '../../domain/chart-series.ts';
import type { Evaluator } from '../../domain/report/evaluate.ts';
import { drawingMemory } from '../../usecases/drawing-memory.ts';
import { loadPictures, type PictureDeps, Wishes } from '../../usecases/load-pictures.ts';
import { drawImage } from './draw-image.ts';
import { drawSvg, plotWidth } from './draw-svg.ts';

const SEED = seedOf('GAPS_SEED');
const LINE_TYPES = ['NORMAL', 'STEP_LEFT', 'STEP_CENTER', 'STEP_RIGHT', 'SPLINE'] as const;
const CASES = 120;
const REPORTS = 60;
const WINDOW = { startMs: START, endMs: START + 24 * HOUR };
/** A report shows this range of a parameter. */
const WEEK = { startMs: START - 7 * 24 * HOUR, endMs: START };
const LINK = parameterLink('Level');
const PARAMETER = parameterOf(LINK.object);

type Window = { readonly startMs: number; readonly endMs: number };
type Case = {
  readonly lineType: (typeof LINE_TYPES)[number];
  readonly gapMs: number;
  readonly records: [number, number][];
};

const inside = (records: Case['records'], { startMs, endMs }: Window) =>
  records.filter(([t]) => t >= startMs && t <= endMs);

/** Records of random intervals, outages and values, in the window and around it. */
function randomRecords(random: () => number, { startMs, endMs }: Window, intervalMs: number): Case['records'] {
  const between = (least: number, most: number) => least + random() * (most - least);
  const around = 2.5 * (endMs - startMs);
  const records: Case['records'] = [];
  for (let t = startMs - between(0, around); t < endMs + around; ) {
    records.push([Math.round(t), random() < 0.1 ? between(-1e6, 1e6) : between(-5, 5)]);
    t += random() < 0.15 ? between(1, 40) * intervalMs : between(0.5, 1.5) * intervalMs;
  }
  return records;
}

/** A read with bounding records has at most one record before the window and one after it. */
function bounded(records: Case['records'], window: Window): Case['records'] {
  const before = records.findLast(([t]) => t < window.startMs);
  const after = records.find(([t]) => t > window.endMs);
  return [...(before ? [before] : []), ...inside(records, window), ...(after ? [after] : [])];
}

const lineTypeOf = (random: () => number) => LINE_TYPES[Math.floor(random() * LINE_TYPES.length)]!;

function randomCase(random: () => number): Case {
  const intervalMs = (0.05 + random() * 7.95) * HOUR;
  const records = bounded(randomRecords(random, WINDOW, intervalMs), WINDOW);
  return { lineType: lineTypeOf(random), gapMs: 3 * intervalMs, records };
}

const drawn = ({ lineType, gapMs, records }: Case): Chart =>
  chart([
    series(
      records.map(([, v]) => v),
      { timestamps: Float64Array.from(records, ([t]) => t), gapMs, chart: { lineType } },
    ),
  ]);
/** Returns what an outage between two records leaves empty: steps hold for as long as a line may be drawn. */
function emptyIn(before: number, after: number, { lineType, gapMs }: Case): [number, number] {
  const half = Math.min(gapMs, (after - before) / 2);
  if (lineType === 'STEP_LEFT') return [before + gapMs, after];
  if (lineType === 'STEP_RIGHT') return [before, after - gapMs];
  return lineType === 'STEP_CENTER' ? [before + half, after - half] : [before, after];
}

/** Stretches of time over which something is drawn. */
function drawnTimes(svg: string): [number, number][] {
  if (!/ d="/.test(markOf(svg, 'series-0'))) return [];
  const { x } = scalesOf(svg);
  const timeOf = (at: number) =>
    x.domain[0] + ((at - x.range[0]) / (x.range[1] - x.range[0])) * (x.domain[1] - x.domain[0]);
  return verticesOf(svg, 'series-0').flatMap((vertex, i, all): [number, number][] =>
    vertex.command === 'M' ? [] : [[timeOf(all[i - 1]!.x), timeOf(vertex.x)]],
  );
}

/**
 * Expects that the drawing of records crosses no outage, and that its axis is that of the records inside alone. @param
 * what names the case in a failure
 */
async function expectHonest(
  svg: string,
  given: Case,
  window: Window,
  drawInside: () => Promise<string>,
  what: unknown,
) {
  const { records, gapMs } = given;
  const leastMs = (window.endMs - window.startMs) / scalesOf(svg).plot.width / 20;
  const stretches = drawnTimes(svg);
  for (const [i, [after]] of records.entries()) {
    const [before] = records[i - 1] ?? [after];
    if (!isGap(before, after, gapMs)) continue;
    const [from, to] = emptyIn(before, after, given);
    const crossing = stretches.filter((stretch) => Math.min(stretch[1], to) - Math.max(stretch[0], from) > leastMs);
    expect([what, given, crossing]).toEqual([what, given, []]);
  }
  if (inside(records, window).length > 0) expect(scalesOf(svg).y.domain).toEqual(scalesOf(await drawInside()).y.domain);
  else {
    const isJoined = records.length === 2 && !isGap(records[0]![0], records[1]![0], gapMs);
    expect(textsOf(svg).some(({ text }) => text === 'No data')).toBe(!isJoined);
  }
}

test(`the line of a picture crosses no outage and shows no extreme from outside of the window (GAPS_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let n = 0; n < CASES; n += 1) {
    const given = randomCase(random);
    const within = { ...given, records: inside(given.records, WINDOW) };
    await expectHonest(await drawSvg(drawn(given)), given, WINDOW, () => drawSvg(drawn(within)), n);
  }
});

/** Makes the chart of a parameter as a report has it: loaded, its interval learnt where the parameter does not say it, and drawn. */
async function printed(records: Case['records'], chartSettings: Record<string, unknown>): Promise<string> {
  const rows = (some: Case['records']): Records => ({
    timestamps: Float64Array.from(some, ([t]) => t),
    values: Float64Array.from(some, ([, v]) => v),
  });
  const unused = async (): Promise<never> => {
    throw new Error('not used');
  };
  const wishes = new Wishes();
  const name = wishes.take({ kind: 'SOURCE', source: LINK.nodeId, width: 499, height: 208 }, 'IMAGE');
  const deps = {
    nodes: { get: async () => ({ ...PARAMETER, chart: chartSettings }), named: unused, linked: unused },
    records: {
      read: async (_parameter: unknown, range: Window) => rows(bounded(records, range)),
      rows: async (_parameter: unknown, { endMs = 0, limit }: { endMs?: number; limit: number }) =>
        rows(records.filter(([t]) => t <= endMs).slice(-limit)),
      outline: async (_parameter: unknown, range: Window) => ({ ...rows(bounded(records, range)), isWhole: true }),
      aggregate: unused,
      edges: unused,
    },
    qualities: { colors: unused },
    preferences: { categories: async () => new Set<string>() },
    drawing: { plotWidth: async (chart: Chart) => plotWidth(chart), draw: drawImage },
    memory: drawingMemory({ mib: 100, waiting: 1 }),
    maxRecords: 100_000,
    maxBytes: 1e7,
    reportFiles: { read: unused },
    web: { fetch: unused },
    pictures: { fit: unused },
    barcodes: { code128: noReports },
  } satisfies PictureDeps;
  const pictures = await loadPictures(deps, wishes, new Map(), {
    report: reportOf({}, [LINK]),
    evaluator: { fail: noReports } as unknown as Evaluator,
    nowMs: WEEK.endMs,
    zoneArguments: {},
    call: callOf(),
  });
  const { url = '' } = pictures.get(name) ?? {};
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString();
}

test(`the line of a report crosses no outage and shows no extreme from outside of its week (GAPS_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED + 1);
  for (let n = 0; n < REPORTS; n += 1) {
    const intervalMs = Math.round((0.5 + random() * 40) * HOUR);
    const records = randomRecords(random, WEEK, intervalMs);
    const lineType = lineTypeOf(random);
    // Such as of a logger whose interval is set, or of one about which nothing is known.
    const expectedIntervalSeconds = random() < 0.5 ? Math.ceil(intervalMs / 1_000) : null;
    const settings = { lineType, expectedIntervalSeconds };
    const learnt = records.filter(([t]) => t <= WEEK.endMs).map(([t]) => t);
    const gapMs = gapMsOf(expectedIntervalSeconds, learnt);
    const given = { lineType, gapMs, records: bounded(records, WEEK) };
    const alone = () => printed(inside(records, WEEK), settings);
    await expectHonest(await printed(records, settings), given, WEEK, alone, [n, settings]);
  }
});

import { isGap } from '@catchment/dashboard-view';
import { seededRandom } from '@catchment/testkit';
import { chart, HOUR, START, series } from '../../../test/builders.ts';
import { markOf, scalesOf, textsOf, verticesOf } from '../../../test/svg-reading.ts';
import type { Chart } from '../../domain/chart.ts';
import { drawSvg } from './draw-svg.ts';

const SEED = Number(process.env.GAPS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const LINE_TYPES = ['NORMAL', 'STEP_LEFT', 'STEP_CENTER', 'STEP_RIGHT', 'SPLINE'] as const;
const CASES = 120;
const END = START + 24 * HOUR;

type Case = {
  readonly lineType: (typeof LINE_TYPES)[number];
  readonly gapMs: number;
  readonly records: [number, number][];
};

/** Records of random intervals, outages and values, in the window and around it: at most one before and one after it. */
function randomCase(random: () => number): Case {
  const between = (least: number, most: number) => least + random() * (most - least);
  const intervalMs = between(0.05, 8) * HOUR;
  const records: [number, number][] = [];
  for (let t = START - between(0, 60) * HOUR; t < END + 60 * HOUR; ) {
    records.push([Math.round(t), random() < 0.1 ? between(-1e6, 1e6) : between(-5, 5)]);
    t += random() < 0.15 ? between(1, 40) * intervalMs : between(0.5, 1.5) * intervalMs;
  }
  const inside = records.filter(([t]) => t >= START && t <= END);
  const before = records.findLast(([t]) => t < START);
  const after = records.find(([t]) => t > END);
  return {
    lineType: LINE_TYPES[Math.floor(random() * LINE_TYPES.length)]!,
    gapMs: 3 * intervalMs,
    records: [...(before ? [before] : []), ...inside, ...(after ? [after] : [])],
  };
}

const drawn = ({ lineType, gapMs, records }: Case): Chart =>
  chart([
    series(
      records.map(([, v]) => v),
      { timestamps: Float64Array.from(records, ([t]) => t), gapMs, chart: { lineType } },
    ),
  ]);
/** What an outage between two records leaves empty: steps hold for as long as a line may be drawn. */
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

test(`the line of a picture crosses no outage and shows no extreme from outside of the window (GAPS_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let n = 0; n < CASES; n += 1) {
    const given = randomCase(random);
    const { records, gapMs } = given;
    const svg = await drawSvg(drawn(given));
    const leastMs = (END - START) / scalesOf(svg).plot.width / 20;
    const stretches = drawnTimes(svg);
    for (const [i, [after]] of records.entries()) {
      const [before] = records[i - 1] ?? [after];
      if (!isGap(before, after, gapMs)) continue;
      const [from, to] = emptyIn(before, after, given);
      const crossing = stretches.filter((one) => Math.min(one[1], to) - Math.max(one[0], from) > leastMs);
      expect([n, given, crossing]).toEqual([n, given, []]);
    }
    const inside = { ...given, records: records.filter(([t]) => t >= START && t <= END) };
    if (inside.records.length > 0)
      expect(scalesOf(svg).y.domain).toEqual(scalesOf(await drawSvg(drawn(inside))).y.domain);
    else {
      const isJoined = records.length === 2 && !isGap(records[0]![0], records[1]![0], gapMs);
      expect(textsOf(svg).some(({ text }) => text === 'No data')).toBe(!isJoined);
    }
  }
});

import { inflateSync } from 'node:zlib';
import { drawImage } from '../../src/clients/drawing/draw-image.ts';
import type { ChartScales, ProfileScales, RoseScales } from '../../src/domain/chart.ts';
import { pixelOf } from '../../src/domain/scale.ts';
import { distanceFrom, markOf, metadataOf, rectanglesOf, symbolsOf, textsOutside, verticesOf } from '../svg-reading.ts';
import { CASES, type Case } from './cases.ts';
import { drawCase, nameOf } from './draw-case.ts';

/** Returns the SVG of a case, and what it was drawn of. */
async function drawn(example: Case, format = 'SVG') {
  const { bytes, picture } = await drawCase(example, drawImage, format);
  return { bytes, svg: Buffer.from(bytes).toString(), picture };
}

const named = (cases: readonly Case[]) => cases.map((example) => [nameOf(example), example] as const);
const withKind = (...groups: string[]) => named(CASES.filter(({ group }) => groups.includes(group)));

/** A mark stands where its record is, give or take this many pixels. */
const WITHIN = 1;
const far = (a: { x: number; y: number }, b: { x: number; y: number }): number => Math.hypot(a.x - b.x, a.y - b.y);

test.each(withKind('Line', 'Column', 'Parameter', 'Arguments', 'Several parameters', 'Historic chart node'))(
  'every mark stands where its record is: %s',
  async (_what, example) => {
    const { svg, picture } = await drawn(example);
    if (picture.kind !== 'TIME') throw new Error('no chart over time');
    const scales = metadataOf(svg) as ChartScales;
    const tops = new Map<string, number>();
    picture.series.forEach((series, index) => {
      const { domain, range } = scales.x;
      const own = scales.axes[series.axis ?? 0] as ChartScales['axes'][number];
      const { data, settings } = series;
      if (data.kind === 'FLAGS') return;
      const at = Array.from(series.timestamps, (t, n) => ({
        t,
        v: data.kind === 'VALUES' ? (data.values[n] as number) : (data.stateIndexes[n] as number),
      })).filter(({ t, v }) => !Number.isNaN(v) && t >= picture.startMs && t <= picture.endMs);
      const place = ({ t, v }: { t: number; v: number }) => ({ x: pixelOf({ domain, range }, t), y: pixelOf(own, v) });
      if (settings.kind === 'COLUMN') {
        const bars = rectanglesOf(svg, `series-${index}`);
        expect(bars).toHaveLength(at.length);
        bars.forEach((bar, n) => {
          const { t, v } = at[n] as (typeof at)[number];
          const key = `${series.axis ?? 0} ${t}`;
          const base = settings.groupType === 'STACKED' ? (tops.get(key) ?? 0) : 0;
          tops.set(key, base + v);
          expect(Math.abs(bar.y - pixelOf(own, base + v))).toBeLessThan(WITHIN);
          expect(Math.abs(bar.y + bar.height - pixelOf(own, base))).toBeLessThan(WITHIN);
          // Columns of a group share the place of one; one between ticks begins at its record.
          if (settings.groupType === 'GROUP') return;
          const middle = settings.pointPlacementType === 'ON' ? bar.x + bar.width / 2 : bar.x - bar.width * 0.08;
          expect(Math.abs(middle - place({ t, v }).x)).toBeLessThan(WITHIN);
        });
        return;
      }
      if (settings.lineWidth > 0 && at.length > 0) {
        const vertices = verticesOf(svg, `series-${index}`);
        for (const record of at) expect(distanceFrom(vertices, place(record))).toBeLessThan(WITHIN);
      }
      if (settings.markerSize > 0 && at.length > 0) {
        const markers = symbolsOf(svg, `series-${index}-markers`);
        expect(markers).toHaveLength(at.length);
        markers.forEach((marker, n) => {
          expect(far(marker, place(at[n] as (typeof at)[number]))).toBeLessThan(WITHIN);
        });
      }
    });
  },
);

test.each(withKind('Displacement node'))(
  'every point of a profile stands where its values are: %s',
  async (_what, example) => {
    const { svg, picture } = await drawn(example);
    if (picture.kind !== 'PROFILES') throw new Error('no profiles');
    const { x, y } = metadataOf(svg) as ProfileScales;
    expect(picture.series.length).toBeGreaterThan(1);
    picture.series.forEach(({ xs, ys }, index) => {
      const points = Array.from(xs, (value, n) => ({ x: pixelOf(x, value), y: pixelOf(y, ys[n] as number) })).filter(
        (point) => !Number.isNaN(point.x) && !Number.isNaN(point.y),
      );
      const vertices = verticesOf(svg, `series-${index}`);
      for (const point of points) expect(distanceFrom(vertices, point)).toBeLessThan(WITHIN);
      const markers = symbolsOf(svg, `series-${index}-markers`);
      expect(markers).toHaveLength(points.length);
      markers.forEach((marker, n) => {
        expect(far(marker, points[n] as (typeof points)[number])).toBeLessThan(WITHIN);
      });
    });
  },
);

test.each(withKind('Wind rose node'))('petals reach as far as their percentages: %s', async (_what, example) => {
  const { svg, picture } = await drawn(example);
  if (picture.kind !== 'ROSE') throw new Error('no rose');
  const { pixelsPerPercent, sectors } = metadataOf(svg) as RoseScales;
  expect(sectors).toEqual(picture.sectors);
  picture.ranges.forEach(({ color }, range) => {
    const group = markOf(svg, `range-${range}`);
    const petals = [...group.matchAll(/ d="([^"]*)"/g)].map(([, path = '']) => path);
    const shown = sectors.filter((sector) => (sector[range] ?? 0) > 0);
    expect(petals).toHaveLength(shown.length);
    petals.forEach((path, n) => {
      const sector = shown[n] as number[];
      const outer = sector.slice(0, range + 1).reduce((sum, percent) => sum + percent, 0) * pixelsPerPercent;
      const [, radius] = /A([\d.]+),/.exec(path) ?? [];
      expect(Math.abs(Number(radius) - outer)).toBeLessThan(WITHIN);
    });
    if (shown.length > 0) expect(group).toContain(color);
  });
});

const SIZES = [undefined, [100, 100], [260, 180], [100, 4000], [4000, 100]] as const;

test.each(named(CASES))('no text leaves the picture, whatever its size: %s', async (_what, example) => {
  for (const size of SIZES) {
    const sizes = size && { width: String(size[0]), height: String(size[1]) };
    const { svg } = await drawn({ ...example, arguments: { ...example.arguments, ...sizes } });
    expect({ size, outside: textsOutside(svg) }).toEqual({ size, outside: [] });
  }
});

/** Values that a picture cannot show as another: nothing to hover over, the type that is the default, a default that is named. */
const ALIKE = [
  ['Line, qualityStyle: NONE', 'Line, qualityStyle: MARKER_HOVER'],
  ['Column, qualityStyle: NONE', 'Column, qualityStyle: MARKER_HOVER'],
  ['Line, markerType: AUTOMATIC', 'Line, markerType: CIRCLE'],
];

/** Numbers of clips and gradients go on from picture to picture. */
const withoutIds = (svg: string): string => svg.replace(/(clip|gradient_)\d+/g, '$1');

test('every value of a setting has a picture of its own', async () => {
  for (const [setting, cases] of Map.groupBy(CASES, ({ group, setting }) => `${group}, ${setting}`)) {
    const pictures = await Promise.all(
      cases.map(async (example) => [`${setting}: ${example.value}`, withoutIds((await drawn(example)).svg)] as const),
    );
    for (const [name, svg] of pictures) {
      const same = pictures.filter(([other, its]) => other !== name && its === svg).map(([other]) => other);
      const expected = ALIKE.find((pair) => pair.includes(name))?.filter((other) => other !== name) ?? [];
      expect({ name, same }).toEqual({ name, same: expected });
    }
  }
});

const OF_EACH_KIND = named(
  [
    'Line, fillStyle: RADIAL_INSIDE',
    'Historic chart node, yAxes: three',
    'Wind rose node, rangeColors: FIXED',
    'Displacement node, thresholds: a line and a band',
  ].map((name) => CASES.find((example) => `${example.group}, ${example.setting}: ${example.value}` === name) as Case),
);

test.each(OF_EACH_KIND)('a PDF has vectors and embedded fonts, and no picture: %s', async (_what, example) => {
  const { bytes } = await drawn(example, 'PDF');
  const text = Buffer.from(bytes).toString('latin1');
  expect(text.startsWith('%PDF-1.')).toBe(true);
  expect(text).toContain('/MediaBox [0 0 600 400]');
  expect(text).toMatch(/\/BaseFont \/[A-Z]{6}\+NotoSans-(Regular|Bold)/);
  expect(text).toContain('/ToUnicode');
  expect(text).not.toContain('/Subtype /Image');
  expect(contentOf(bytes)).toMatch(/ l\n|\bc\n/);
});

/** Returns the instructions of the streams of a PDF that are text. */
function contentOf(bytes: Uint8Array): string {
  const all = Buffer.from(bytes);
  let text = '';
  for (let at = all.indexOf('stream\n'); at >= 0; at = all.indexOf('stream\n', at + 7)) {
    const end = all.indexOf('endstream', at);
    try {
      text += inflateSync(all.subarray(at + 7, end)).toString('latin1');
    } catch {
      // The word is part of `endstream`, or the stream is not compressed.
    }
  }
  return text;
}

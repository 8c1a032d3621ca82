import sharp from 'sharp';
import { createDrawPool, type DrawPool } from '../src/clients/drawing/draw-pool.ts';
import { textWidth } from '../src/clients/drawing/fonts/text-width.ts';
import type { Chart } from '../src/domain/chart.ts';
import { chart, series } from './builders.ts';
import { scalesOf, textsOf } from './svg-reading.ts';

let pool: DrawPool;
beforeAll(async () => {
  pool = await createDrawPool({ threads: 1, heapMegabytes: 512 });
});
afterAll(() => pool.close());

const never = new AbortController().signal;
const WAVE = Array.from({ length: 25 }, (_, i) => Math.sin(i / 3) * 10);
const svgOf = async (chart: Chart): Promise<string> =>
  Buffer.from(await pool.draw({ chart, format: 'SVG', scale: 1 }, never)).toString();

async function pixels(chart: Chart, format: 'PNG' | 'JPG' = 'PNG', scale = 1) {
  const bytes = await pool.draw({ chart, format, scale }, never);
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): [number, number, number] => {
    const offset = (y * info.width + x) * info.channels;
    return [data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0];
  };
  return { width: info.width, height: info.height, at, bytes };
}
type Pixels = Awaited<ReturnType<typeof pixels>>;

/** Counts pixels of about this colour inside a rectangle. */
function count(
  picture: Pixels,
  [r, g, b]: [number, number, number],
  area: { x: number; y: number; width: number; height: number },
) {
  let found = 0;
  for (let y = Math.floor(area.y); y < area.y + area.height; y++) {
    for (let x = Math.floor(area.x); x < area.x + area.width; x++) {
      const [pr, pg, pb] = picture.at(x, y);
      if (Math.abs(pr - r) + Math.abs(pg - g) + Math.abs(pb - b) < 30) found++;
    }
  }
  return found;
}

test.each(['PNG', 'JPG'] as const)(
  'a %s has pixels of the line’s colour inside the plot and only there',
  async (format) => {
    const line = chart([series(WAVE)], { width: 600, height: 400 });
    const { plot } = scalesOf(await svgOf(line));
    const picture = await pixels(line, format);
    const blue: [number, number, number] = [0x2f, 0x7e, 0xd8];
    const inside = count(picture, blue, plot);
    expect(inside).toBeGreaterThan(plot.width);
    expect(count(picture, blue, { x: 0, y: 0, width: 600, height: 400 })).toBe(inside);
  },
);

test.each([
  ['PNG', 1, 600, 400, [0x89, 0x50, 0x4e, 0x47]],
  ['PNG', 2.5, 1500, 1000, [0x89, 0x50, 0x4e, 0x47]],
  ['JPG', 4, 2400, 1600, [0xff, 0xd8, 0xff]],
] as const)('a %s of scale %d has %i x %i pixels', async (format, scale, width, height, magic) => {
  const picture = await pixels(chart([series(WAVE)], { width: 600, height: 400 }), format, scale);
  expect([picture.width, picture.height]).toEqual([width, height]);
  expect([...picture.bytes.subarray(0, magic.length)]).toEqual(magic);
});

test.each(['SOLID', 'LINEAR_TOP', 'PIPE_VERTICAL', 'RADIAL_INSIDE', 'RADIAL_OUTSIDE'])(
  'a fill of style %s is painted in pixels',
  async (fillStyle) => {
    const blue = { primaryColor: '#2f7ed8', secondaryColor: '#2f7ed8', fillOpacity: 100, lineWidth: 0 };
    const picture = chart([series(WAVE, { chart: { fillStyle, ...blue } })], { width: 600, height: 400 });
    const { plot } = scalesOf(await svgOf(picture));
    expect(count(await pixels(picture), [0x2f, 0x7e, 0xd8], plot)).toBeGreaterThan(plot.width * plot.height * 0.3);
  },
);

test('a PDF has a page of the size of the chart, whatever the scale', async () => {
  const picture = chart([series(WAVE)], { width: 600, height: 400, title: 'Größe Θ' });
  const [plain, scaled] = await Promise.all(
    [1, 4].map(async (scale) =>
      Buffer.from(await pool.draw({ chart: picture, format: 'PDF', scale }, never)).toString('latin1'),
    ),
  );
  expect(plain).toMatch(/^%PDF-1\.[\s\S]*\/MediaBox \[0 0 600 400\][\s\S]*%%EOF\s*$/);
  expect(scaled?.length).toBe(plain?.length);
});

// The fonts of the machine are out of reach of the worker: a sign without a glyph would have another width.
test.each(['Discharge m³/s', '25 °C', 'µg/m³', 'kΩ', '‰', 'Температура', 'Θερμοκρασία', 'Größe ÅÆŁ'])(
  'the packaged font draws «%s» as wide as it was measured',
  async (title) => {
    const drawing = chart([series(WAVE)], { title, width: 600, height: 400 });
    const text = textsOf(await svgOf(drawing)).find((other) => other.text === title);
    const picture = await pixels(drawing);
    const { size = 0, y = 0 } = text ?? {};
    const inked: number[] = [];
    for (let x = 0; x < picture.width; x++) {
      if (count(picture, [0x33, 0x33, 0x33], { x, y: y - size, width: 1, height: size * 1.3 }) > 0) inked.push(x);
    }
    const drawn = (inked.at(-1) ?? 0) - (inked[0] ?? 0) + 1;
    expect(Math.abs(drawn - textWidth(title, size, 'bold'))).toBeLessThan(size * 0.35);
  },
);

test.each([
  ['Chinese', '水位'],
  ['Korean', '수위'],
  ['Arabic', 'مستوى الماء'],
  ['Hindi', 'जल स्तर'],
  ['Thai', 'ระดับน้ำ'],
  ['signs', '⚠ ∑'],
])('a name in %s is drawn, not boxes', async (_script, name) => {
  const drawn = (title: string) => pixels(chart([series(WAVE)], { width: 400, height: 200, title }));
  const [picture, boxes] = [await drawn(name), await drawn('\u{e000}'.repeat([...name].length))];
  const titleOf = ({ width, at }: Pixels) =>
    Array.from({ length: 30 }, (_, y) => Array.from({ length: width }, (_, x) => at(x, y)[0] < 128));
  expect(titleOf(picture).flat().filter(Boolean).length).toBeGreaterThan(20);
  expect(titleOf(picture)).not.toEqual(titleOf(boxes));
});

test('a picture of many records looks like the one of all of them', async () => {
  const many = Array.from({ length: 120_000 }, (_, i) => (i === 60_000 ? 50 : Math.sin(i / 9_000)));
  const timestamps = Float64Array.from(many, (_, i) => chart([]).startMs + i * 700);
  const drawing = chart([series(many, { timestamps })], { width: 600, height: 400 });
  const { plot } = scalesOf(await svgOf(drawing));
  const picture = await pixels(drawing);
  const spike = { x: plot.x, y: plot.y, width: plot.width, height: plot.height * 0.8 };
  expect(count(picture, [0x2f, 0x7e, 0xd8], spike)).toBeGreaterThan(plot.height * 0.4);
});

test('a drawing that is no longer wanted ends at once, and the next one is drawn', async () => {
  const many = Array.from({ length: 99_000 }, (_, i) => Math.sin(i));
  const slow = chart([series(many, { chart: { fillStyle: 'SOLID', markerSize: 3 } })]);
  const gone = new AbortController();
  const drawing = pool.draw({ chart: slow, format: 'SVG', scale: 1 }, gone.signal);
  gone.abort(new Error('left'));
  await expect(drawing).rejects.toThrow('left');
  expect((await svgOf(chart([series([1, 2])]))).startsWith('<svg')).toBe(true);
});

test('a drawing that needs more memory than a thread has is too large, and the next one is drawn', async () => {
  const small = await createDrawPool({ threads: 1, heapMegabytes: 48 });
  try {
    const many = Array.from({ length: 100_000 }, (_, i) => i);
    const huge = chart([series(many, { chart: { fillStyle: 'SOLID', markerSize: 3 } })], {
      endMs: chart([]).startMs + 1e12,
    });
    await expect(small.draw({ chart: huge, format: 'SVG', scale: 1 }, never)).rejects.toMatchObject({
      kind: 'too_large',
    });
    const next = await small.draw({ chart: chart([series([1, 2])]), format: 'SVG', scale: 1 }, never);
    expect(Buffer.from(next).toString()).toContain('series-0');
  } finally {
    await small.close();
  }
});

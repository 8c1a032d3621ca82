import sharp from 'sharp';

export type Scales = {
  readonly plot: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly x: { readonly domain: readonly [number, number] };
  readonly y: { readonly domain: readonly [number, number] };
};

export function scalesOf(svg: string): Scales {
  const json = /<metadata id="chart-scales">([^<]*)</.exec(svg)?.[1]?.replaceAll('&quot;', '"') ?? '';
  return JSON.parse(json);
}

type Vertex = { readonly x: number; readonly y: number /** M: the line begins here. */; readonly command: string };

/** Returns the vertices of the first path with that many, in pixels of the picture; groups' translations are added up. */
export function verticesOf(svg: string, count: number): Vertex[] {
  const offsets: { x: number; y: number }[] = [];
  for (const [tag, name] of svg.matchAll(/<(\/?[a-zA-Z]+)[^>]*>/g)) {
    if (name === 'g') offsets.push(translation(tag));
    else if (name === '/g') offsets.pop();
    else if (name === 'path') {
      const vertices = [...(/ d="([^"]*)"/.exec(tag)?.[1] ?? '').matchAll(/([ML])\s*(-?[\d.]+)[ ,](-?[\d.]+)/g)];
      if (vertices.length !== count) continue;
      const moved = [...offsets, translation(tag)].reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), {
        x: 0,
        y: 0,
      });
      return vertices.map(([, command = '', x, y]) => ({ x: Number(x) + moved.x, y: Number(y) + moved.y, command }));
    }
  }
  throw new Error(`the picture has no line of ${count} vertices`);
}

function translation(tag: string): { x: number; y: number } {
  const [, x = '0', y = '0'] = /transform="translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(tag) ?? [];
  return { x: Number(x), y: Number(y) };
}

/** Counts the pixels of a colour in a part of a PNG; anti-aliased edges are not counted. */
export async function pixelsOfColour(
  png: Buffer,
  colour: string,
  area: { x: number; y: number; width: number; height: number },
): Promise<number> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  let count = 0;
  for (let y = Math.ceil(area.y); y < area.y + area.height; y += 1) {
    for (let x = Math.ceil(area.x); x < area.x + area.width; x += 1) {
      const at = (y * info.width + x) * info.channels;
      if (near(data[at], red) && near(data[at + 1], green) && near(data[at + 2], blue)) count += 1;
    }
  }
  return count;
}

const near = (a = 0, b = 0): boolean => Math.abs(a - b) <= 12;

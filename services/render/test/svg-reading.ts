import { textWidth } from '../src/clients/drawing/fonts/text-width.ts';
import type { ChartScales } from '../src/domain/chart.ts';

const plainText = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

/** Returns what the SVG states of its data. */
export function metadataOf(svg: string): unknown {
  const json = /<metadata id="chart-scales">([^<]*)<\/metadata>/.exec(svg)?.[1] ?? 'null';
  return JSON.parse(plainText(json));
}

/** Reads the scales of a chart over time. */
export const scalesOf = (svg: string): ChartScales => metadataOf(svg) as ChartScales;

/** Returns places of the symbols of a mark. */
export const symbolsOf = (svg: string, name: string): { x: number; y: number }[] =>
  [...markOf(svg, name).matchAll(/translate\((-?[\d.]+),(-?[\d.]+)\)/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));

/** Rectangles of a mark. */
export const rectanglesOf = (svg: string, name: string): { x: number; y: number; width: number; height: number }[] =>
  [...markOf(svg, name).matchAll(/d="M(-?[\d.]+),(-?[\d.]+)h(-?[\d.]+)v(-?[\d.]+)/g)].map(
    ([, x, y, width, height]) => ({
      x: Number(x),
      y: Number(y),
      width: Number(width),
      height: Number(height),
    }),
  );

/** Returns the inner text of the group of a mark. */
export function markOf(svg: string, name: string): string {
  return new RegExp(`<g class="mark-\\w+ role-\\w+ ${name}"[^>]*?(?:/>|>(.*?)</g>)`, 's').exec(svg)?.[1] ?? '';
}

/** Returns the vertices of the single path of a mark; a new stretch after a gap begins with M. */
export function verticesOf(svg: string, name: string): { command: string; x: number; y: number }[] {
  const paths = [...markOf(svg, name).matchAll(/<path [^>]*?\bd="([^"]*)"/g)].map(([, d]) => d ?? '');
  if (paths.length !== 1) throw new Error(`${name} has ${paths.length} paths`);
  // A curve leads to the last of its three points.
  const steps = (paths[0] ?? '').replace(/C(?:-?[\d.]+,){4}/g, 'L');
  return [...steps.matchAll(/([ML])(-?[\d.]+),(-?[\d.]+)/g)].map(([, command = '', x, y]) => ({
    command,
    x: Number(x),
    y: Number(y),
  }));
}

/** Returns the distance in pixels of a place from a line with these vertices. */
export function distanceFrom(
  vertices: ReturnType<typeof verticesOf>,
  { x, y }: { readonly x: number; readonly y: number },
): number {
  return vertices.reduce((least, to, index) => {
    const from = vertices[index - 1];
    if (!from || to.command === 'M') return Math.min(least, Math.hypot(to.x - x, to.y - y));
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const along = ((x - from.x) * dx + (y - from.y) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.min(Math.max(along, 0), 1);
    return Math.min(least, Math.hypot(from.x + share * dx - x, from.y + share * dy - y));
  }, Number.POSITIVE_INFINITY);
}

type SvgText = {
  text: string;
  x: number;
  y: number;
  anchor: string;
  size: number;
  bold: boolean;
  upright: boolean;
};

/** Returns all texts with the place of their anchor. */
export function textsOf(svg: string): SvgText[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', text = '']) => {
    const [, x, y] = /translate\((-?[\d.]+),(-?[\d.]+)\)/.exec(attributes) ?? [];
    return {
      text: plainText(text),
      x: Number(x),
      y: Number(y),
      anchor: /text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start',
      size: Number(/font-size="([\d.]+)px"/.exec(attributes)?.[1]),
      bold: attributes.includes('font-weight="bold"'),
      upright: !attributes.includes('rotate'),
    };
  });
}

/** Returns where an instant and a value lie. */
export function positionOf({ x, y }: ChartScales, t: number, v: number): { x: number; y: number } {
  const along = (domain: readonly [number, number], range: readonly [number, number], value: number): number =>
    range[0] + ((value - domain[0]) / (domain[1] - domain[0])) * (range[1] - range[0]);
  return { x: along(x.domain, x.range, t), y: along(y.domain, y.range, v) };
}

/** Returns the texts of which a part lies outside of the picture. */
export function textsOutside(svg: string): string[] {
  const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
  return textsOf(svg).flatMap(({ text, x, y, anchor, size, bold, upright }) => {
    const length = textWidth(text, size, bold ? 'bold' : 'normal');
    const before = anchor === 'middle' ? length / 2 : anchor === 'end' ? length : 0;
    // Names along a line of a plot begin at it and lie inside; titles of axes are centred.
    const isInside = upright
      ? x - before >= 0 && x - before + length <= width && y - size * 0.8 >= 0 && y <= height
      : y - before >= 0 && y - before + length <= height && x >= 0 && x <= width;
    return text === '' || isInside ? [] : [text];
  });
}

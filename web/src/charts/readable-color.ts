type Rgb = readonly [number, number, number];

/** WCAG 2.2 asks for these contrasts: 1.4.11 for graphics, 1.4.3 for texts. */
export const LINES = 3;
export const TEXTS = 4.5;

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function rgbOf(color: string): Rgb | undefined {
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (hex !== undefined) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
  const parts = /^rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)/.exec(color);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined;
}

/** Returns whether white stands out from a colour more than black does. */
export function isDark(ground: string): boolean {
  const color = rgbOf(ground);
  return color !== undefined && luminance(color) < 0.18;
}

/** WCAG's relative luminance. */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [first, other] = [rgbOf(a), rgbOf(b)];
  if (first === undefined || other === undefined) return Number.NaN;
  const [light, dark] = [luminance(first), luminance(other)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Returns the colour itself where it can be seen on the ground, otherwise the nearest mixture with white or black that can: people choose
 * colours for one ground, and tiles have several.
 * @param color `#rrggbb`; @param ground `#rrggbb` or `rgb(…)`
 */
export function readableOn(color: string, ground: string, least: number): string {
  const [from, below] = [rgbOf(color), rgbOf(ground)];
  if (from === undefined || below === undefined) return color;
  const to = isDark(ground) ? 255 : 0;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = hexOf(from.map((part) => part + (to - part) * share) as unknown as Rgb);
    if (contrast(mixed, ground) >= least) return mixed;
  }
  return to === 255 ? '#ffffff' : '#000000';
}

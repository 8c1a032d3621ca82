/**
 * The ramp goes from light to dark, through hues that people with any kind of colour blindness distinguish by their
 * lightness (ColorBrewer's YlGnBu, without its lightest third, which is lost on white).
 */
const STOPS = [
  [127, 205, 187],
  [65, 182, 196],
  [29, 145, 192],
  [34, 94, 168],
  [37, 52, 148],
  [8, 29, 88],
] as const;

/** Colours for so many classes that have an order, `#rrggbb`, the first one lightest. */
export function ramp(classes: number): string[] {
  return Array.from({ length: classes }, (_, index) => {
    const at = classes < 2 ? STOPS.length / 2 : (index / (classes - 1)) * (STOPS.length - 1);
    const from = STOPS[Math.min(Math.floor(at), STOPS.length - 2)] ?? STOPS[0];
    const to = STOPS[Math.min(Math.floor(at), STOPS.length - 2) + 1] ?? STOPS[0];
    const share = at - Math.min(Math.floor(at), STOPS.length - 2);
    const channels = from.map((value, channel) => Math.round(value + ((to[channel] ?? value) - value) * share));
    return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  });
}

/**
 * Finds where labels stand beside their lines: as near as they may without covering each other or leaving the chart.
 * @param places of the lines, in pixels from the top, in any order
 * @returns middles of the labels, in the same order
 */
export function spread(places: readonly number[], size: number, top: number, bottom: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]! || a - b);
  const least = top + size / 2;
  const most = Math.max(bottom - size / 2, least);
  const middles = order.map((i) => Math.min(Math.max(places[i]!, least), most));
  for (let i = 1; i < middles.length; i += 1) middles[i] = Math.max(middles[i]!, middles[i - 1]! + size);
  // A label that was pushed out below pushes those above it up.
  let floor = Math.max(most, least + (middles.length - 1) * size);
  for (let i = middles.length - 1; i >= 0; i -= 1) {
    middles[i] = Math.min(middles[i]!, floor);
    floor = middles[i]! - size;
  }
  const result = new Array<number>(places.length);
  for (const [i, place] of order.entries()) result[place] = middles[i]!;
  return result;
}

/** Tells what a key does to a slider, in steps; `least` and `most` are as far as it goes. */
export function keyed(key: string, isFar: boolean): number | 'least' | 'most' | undefined {
  const many = isFar ? 10 : 1;
  switch (key) {
    case 'ArrowUp':
    case 'ArrowRight':
      return many;
    case 'ArrowDown':
    case 'ArrowLeft':
      return -many;
    case 'PageUp':
      return 10;
    case 'PageDown':
      return -10;
    case 'Home':
      return 'least';
    case 'End':
      return 'most';
    default:
      return undefined;
  }
}

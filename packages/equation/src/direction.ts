/** Returns a direction as 0 ≤ degrees < 360. */
export function directionOf(degrees: number): number {
  const rest = degrees % 360;
  const direction = rest < 0 ? rest + 360 : rest;
  // A negative number next to 0 is rounded to 360; there is no -0.
  return direction === 360 || direction === 0 ? 0 : direction;
}

/** Returns the value at a share (0 to 1) of the way from one value to another. */
export type Between = (from: number, to: number, share: number) => number;

/** Goes along the straight line. */
export const straight: Between = (from, to, share) => {
  const step = (to - from) * share;
  // Numbers next to the ends of their range lie further apart than any number says.
  return Number.isFinite(step) ? from + step : from * (1 - share) + to * share;
};

/** Turns from one direction to another on the shorter way, clockwise where both ways are as long. */
export const turning: Between = (from, to, share) => {
  const begin = from % 360;
  const clockwise = directionOf((to % 360) - begin);
  return directionOf(begin + (clockwise > 180 ? clockwise - 360 : clockwise) * share);
};

import { directionOf } from '@catchment/equation';
import { Sum } from './sums.ts';

const RADIANS = Math.PI / 180;
/** A shorter mean of unit vectors has no direction. */
const LEAST_LENGTH = 1e-9;
/** Directions are turned by quarter turns with these cosines and sines. */
const COSINES = [1, 0, -1, 0];

/** Computes the direction of the mean of unit vectors, for numbers that are degrees. */
export function circularMean() {
  const [east, north] = [new Sum(), new Sum()];
  let count = 0;
  return {
    reset: () => {
      east.reset();
      north.reset();
      count = 0;
    },
    add: (degrees: number) => {
      const direction = degrees % 360;
      // Directions are turned by whole quarters to between -45° and 45°: those that lie opposite to each other cancel exactly.
      const quarters = Math.round(direction / 90);
      const angle = (direction - quarters * 90) * RADIANS;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [turnedCos = 0, turnedSin = 0] = [COSINES[quarters & 3], COSINES[(quarters - 1) & 3]];
      north.add(turnedCos * cos - turnedSin * sin);
      east.add(turnedSin * cos + turnedCos * sin);
      count += 1;
    },
    value: () => {
      const [x, y] = [north.value() / count, east.value() / count];
      return Math.hypot(x, y) < LEAST_LENGTH ? Number.NaN : directionOf(Math.atan2(y, x) / RADIANS);
    },
  };
}

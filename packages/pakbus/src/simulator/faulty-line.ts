/** Says how often, from 0 to 1, something happens to a frame of the logger. */
export type Faults = {
  /** It does not come. */
  readonly drop: number;
  /** It comes twice. */
  readonly duplicate: number;
  /** A byte of it is another. */
  readonly corrupt: number;
};

/** A bad line: the same seed has the same faults. */
export function faultyLine(faults: Faults, seed: number): (frames: readonly Uint8Array[]) => Uint8Array[] {
  const random = seeded(seed);
  return (frames) =>
    frames.flatMap((bytes) => {
      const chance = random();
      if (chance < faults.drop) return [];
      if (chance < faults.drop + faults.duplicate) return [bytes, bytes];
      if (chance < faults.drop + faults.duplicate + faults.corrupt) return [damaged(bytes, random)];
      return [bytes];
    });
}

function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = bytes.slice();
  const at = Math.floor(random() * copy.length);
  copy[at] = (copy[at]! + 1 + Math.floor(random() * 255)) & 0xff;
  return copy;
}

/** Numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Frames of the logger have these faults, each in percent of the frames. */
export type LineFaults = {
  /** It does not come. */
  readonly drop?: number;
  /** It comes twice. */
  readonly duplicate?: number;
  /** A byte of it is another. */
  readonly corrupt?: number;
};

const FAULTS = ['drop', 'duplicate', 'corrupt'] as const;

/** Makes a bad line: the same seed has the same faults. */
export function faultyLine(rates: LineFaults, seed: number): (frames: readonly Uint8Array[]) => Uint8Array[] {
  const random = seeded(seed);
  return (frames) =>
    frames.flatMap((bytes) => {
      const fault = chosenFault(FAULTS, rates, random);
      if (fault === 'drop') return [];
      if (fault === 'duplicate') return [bytes, bytes];
      return [fault === 'corrupt' ? damaged(bytes, random) : bytes];
    });
}

/** Chooses one of the faults, or none, by their rates in percent. */
export function chosenFault<Fault extends string>(
  faults: readonly Fault[],
  rates: { readonly [fault in Fault]?: number },
  random: () => number,
): Fault | undefined {
  let turn = random() * 100;
  return faults.find((fault) => {
    turn -= rates[fault] ?? 0;
    return turn < 0;
  });
}

function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = bytes.slice();
  const at = Math.floor(random() * copy.length);
  copy[at] = (copy[at]! + 1 + Math.floor(random() * 255)) & 0xff;
  return copy;
}

/** Makes numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import type { Node } from '../../../data/nodes/nodes.ts';

/** The API's value; null: none. */
export type Value = number | string | null;

/** The values of a series stand so in a column of numbers: texts by their place among those that were seen, times as Unix milliseconds. */
export type Coding = {
  readonly kind: 'number' | 'text' | 'time';
  /** NaN means that there is no such value. */
  readonly numberOf: (value: unknown) => number;
  readonly valueOf: (number: number) => Value;
};

export const NUMBERS: Coding = {
  kind: 'number',
  numberOf: (value) => (typeof value === 'number' ? value : Number.NaN),
  valueOf: (number) => (Number.isNaN(number) ? null : number),
};

const TIMES: Coding = {
  kind: 'time',
  numberOf: (value) => {
    const text = typeof value === 'object' && value !== null && '$time' in value ? value.$time : value;
    return typeof text === 'string' ? Date.parse(text) : Number.NaN;
  },
  valueOf: (number) => (Number.isNaN(number) ? null : new Date(number).toISOString()),
};

function textCoding(): Coding {
  const texts: string[] = [];
  const places = new Map<string, number>();
  return {
    kind: 'text',
    numberOf: (value) => {
      if (typeof value !== 'string') return Number.NaN;
      const known = places.get(value);
      if (known !== undefined) return known;
      places.set(value, texts.length);
      return texts.push(value) - 1;
    },
    valueOf: (number) => texts[number] ?? null,
  };
}

/** Returns the coding of the records of one series; each series that is mended has a separate one. */
export function codingOf({ _class }: Pick<Node, '_class'>): Coding {
  if (_class.includes('.point.Text')) return textCoding();
  return _class.includes('.point.Time') ? TIMES : NUMBERS;
}

import { amount } from '@catchment/testkit';
import { type Fixture, type Json, openFixture } from './fixture.ts';

const PAIRS = amount(220, 1_000);
/** Accounts at once; changes of one account come one after the other. */
const LANES = 5;

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

/** Attributes of a Number parameter each have an n-th value: those of the row, of the table, of parts with rules of their own. */
const ATTRIBUTES: Readonly<Record<string, (n: number) => unknown>> = {
  name: (n) => `Name ${n}`,
  customId: (n) => `id-${n}`,
  series: (n) => `series ${n}`,
  units: (n) => `u${n}`,
  format: (n) => `0.${'0'.repeat(1 + (n % 5))}`,
  multiplier: (n) => 1 + n,
  metadata: (n) => [{ name: 'n', value: n }],
  hysteresis: (n) => n,
  isPublic: (n) => n % 2 === 0,
  chart: (n) => ({ lineWidth: n % 7 }),
  alarms: (n) => ({ qualityAlarm: { config: { isEnabled: n % 2 === 0 } } }),
};
const NAMES = Object.keys(ATTRIBUTES);

async function lane(first: number): Promise<number> {
  const api = await f.account();
  const { source } = await f.source(api);
  const { _id } = await api.create('point.NumberPoint', 'P', source._id);
  let lost = 0;
  let last: object = {};
  for (let n = first; n < PAIRS; n += LANES) {
    // Every pair of attributes has its turn.
    const suffix = NAMES[n % NAMES.length]!;
    const other = NAMES[(n + 1 + (Math.floor(n / NAMES.length) % (NAMES.length - 1))) % NAMES.length]!;
    const change = (name: string) => ({ [name]: ATTRIBUTES[name]!(n) });
    const answers = await Promise.all([api.update(_id, change(suffix)), api.update(_id, change(other))]);
    const expected = { ...change(suffix), ...change(other) };
    // The later of the two is answered with the node as both have left it.
    if (!answers.some((answer) => matches(answer, expected))) lost += 1;
    last = expected;
  }
  expect(await api.get(_id)).toMatchObject(last);
  return lost;
}

const matches = (answer: Json, expected: object): boolean => {
  try {
    expect(answer).toMatchObject(expected);
    return true;
  } catch {
    return false;
  }
};

test(`of ${PAIRS} pairs of concurrent updates of different attributes of one node both are stored`, async () => {
  const lost = await Promise.all(Array.from({ length: LANES }, (_, n) => lane(n)));
  expect(lost).toEqual(Array(LANES).fill(0));
});

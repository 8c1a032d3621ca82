import { visitCsv } from './influx-csv.ts';

async function pointsOf(pieces: readonly string[], max = Infinity) {
  const points: number[][] = [];
  const isComplete = await visitCsv(
    (async function* () {
      yield* pieces;
    })(),
    'h',
    (...point) => {
      points.push(point);
      return points.length < max;
    },
  );
  return { points, isComplete };
}

const ANSWER = 'name,tags,time,v,x\nh,,-5,1.5,\nh,,0,,1048576\n\nname,tags,time,v,x\nh,,1704067200000,-1e+21,1\n';
const POINTS = [
  [-5, 1.5, 0],
  [0, Number.NaN, 1_048_576],
  [1_704_067_200_000, -1e21, 1],
];

test('points of several chunks, wherever the text is cut', async () => {
  for (let at = 0; at <= ANSWER.length; at += 1)
    expect(await pointsOf([ANSWER.slice(0, at), ANSWER.slice(at)])).toEqual({ points: POINTS, isComplete: true });
});

test('no points', async () => expect(await pointsOf([])).toEqual({ points: [], isComplete: true }));

test('enough', async () =>
  expect(await pointsOf([ANSWER], 2)).toEqual({ points: POINTS.slice(0, 2), isComplete: false }));

test.each([['error\ntimeout\n'], [`${ANSWER}error\nquery interrupted\n`], [`${ANSWER}h,,17040`]])(
  'what is no answer, or the beginning of one, is an error',
  async (text) => {
    await expect(pointsOf([text])).rejects.toMatchObject({ kind: 'unavailable' });
  },
);

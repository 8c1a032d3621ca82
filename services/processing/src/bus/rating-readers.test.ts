import { SeriesTouch } from '@catchment/contracts/ingest';
import { bytesOf } from '@catchment/contracts/packed-numbers';
import { touchOf } from './rating-readers.ts';

test.each<[string, Partial<SeriesTouch>, readonly number[] | undefined]>([
  ['one time', { fromMs: 7 }, [7]],
  ['one time at which a record may have gone', { fromMs: 7, clears: true }, undefined],
  ['several times', { fromMs: 1, toMs: 8, timestamps: bytesOf(Float64Array.of(1, 5, 8)) }, [1, 5, 8]],
  ['times at one interval', { fromMs: 1, toMs: 9, stepMs: 4 }, [1, 5, 9]],
  ['a range', { fromMs: 1, toMs: 9 }, undefined],
])('a write touches %s', (_what, touch, expected) => {
  const { timestamps } = touchOf(SeriesTouch.fromPartial(touch));
  expect(timestamps && [...timestamps]).toEqual(expected);
});

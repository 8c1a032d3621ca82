import { RoomWatch } from './room-watch.ts';

const MIB = 1024 ** 2;

test.each<[what: string, freeMib: readonly (number | undefined)[], expected: readonly boolean[]]>([
  ['a disk with room', [900, 100, 20, 100], [false, false, false, false]],
  ['a disk that was full and has room again', [100, 3, 0, 100, 100], [false, false, false, true, false]],
  ['a little room is not enough', [0, 20, 63, 64], [false, false, false, true]],
  ['a disk that fills up again and again', [0, 100, 0, 100], [false, true, false, true]],
  ['a system that does not say', [0, undefined, 100, undefined], [false, false, true, false]],
])('%s', (_what, freeMib, expected) => {
  const watch = new RoomWatch();
  expect(freeMib.map((free) => watch.look(free === undefined ? undefined : free * MIB))).toEqual(expected);
});

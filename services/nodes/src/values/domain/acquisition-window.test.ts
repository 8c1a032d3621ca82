import { type Acquisition, type AcquisitionWindow, closeWindow, openOrJoin } from './acquisition-window.ts';

describe('events of acquisitions', () => {
  const acquired = (timeMs: number, rows: number): Acquisition => ({
    nodeId: 'n',
    isSource: true,
    rows,
    parameters: 2,
    timeMs,
    username: 'jo',
    origin: 'API',
  });
  const run = (windowMs: number, ...acquisitions: Acquisition[]) => {
    let window: AcquisitionWindow | undefined;
    const events = acquisitions.flatMap((acquisition) => {
      const next = openOrJoin(window, acquisition, windowMs);
      window = next.window;
      return next.events;
    });
    return { events: events.map(({ timeMs, message }) => [timeMs, message]), window };
  };
  const text = (rows: number) => `Processed ${rows} records from API [2 parameters updated]`;

  test('the first gives its event at once, later ones of the window are summed at its end', () => {
    const { events, window } = run(60, acquired(0, 1), acquired(10, 2), acquired(59, 3));
    expect(events).toEqual([[0, text(1)]]);
    expect(closeWindow(window!)).toEqual([
      { level: 'DEBUG', nodeId: 'n', username: 'jo', timeMs: 60, message: text(5) },
    ]);
  });
  test('the first one after a window closes it', () =>
    expect(run(60, acquired(0, 1), acquired(10, 2), acquired(60, 3)).events).toEqual([
      [0, text(1)],
      [60, text(2)],
      [60, text(3)],
    ]));
  test('a window in which nothing came has no event', () =>
    expect(closeWindow(run(60, acquired(0, 1)).window!)).toEqual([]));
  test('0 gives an event for each', () =>
    expect(run(0, acquired(0, 1), acquired(1, 2))).toEqual({
      events: [
        [0, text(1)],
        [1, text(2)],
      ],
      window: undefined,
    }));
  test('a parameter does not count parameters', () =>
    expect(openOrJoin(undefined, { ...acquired(0, 4), isSource: false }, 60).events[0]?.message).toBe(
      'Processed 4 records from API',
    ));
});

import { afterPaint } from './after-paint.ts';

let frames: (() => void)[];
beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (n: number) => {
    frames[n - 1] = () => {};
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const draw = () => {
  for (const frame of frames.splice(0)) frame();
};

test('work begins after the frame, not within it, and once', () => {
  const work = vi.fn();
  afterPaint(work);
  draw();
  expect(work).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(work).toHaveBeenCalledTimes(1);
});

test('a page that is not painted does its work all the same, once', () => {
  const work = vi.fn();
  afterPaint(work);
  vi.runAllTimers();
  draw();
  vi.runAllTimers();
  expect(work).toHaveBeenCalledTimes(1);
});

test.each([
  ['before the frame', () => {}],
  ['after it', draw],
])('what is called off %s is not done', (_when, before) => {
  const work = vi.fn();
  const off = afterPaint(work);
  before();
  off();
  draw();
  vi.runAllTimers();
  expect(work).not.toHaveBeenCalled();
});

import { useEffect, useState } from 'preact/hooks';

/** A page that is not seen is not painted. */
const LATEST_MS = 250;

/**
 * Does what takes its time once the browser has shown what is there already, so that a click is answered before it.
 * @returns what calls it off
 */
export function afterPaint(work: () => void): () => void {
  const off = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = () => {
    off();
    work();
  };
  let timer = setTimeout(run, LATEST_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  return off;
}

/** Returns a value that becomes another one a frame late: what is drawn of it takes its time, and what was clicked is marked before. */
export function useAfterPaint<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => (shown === value ? undefined : afterPaint(() => setShown(() => value))), [value, shown]);
  return shown;
}

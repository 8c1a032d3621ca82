import type { Readable } from 'node:stream';
import { HttpProblem } from '../response/problem.ts';

/** Longest pause within a body. Below the idle time of connections (app.ts), after which they end without an answer. */
const PAUSE_MS = 30_000;

/** A client that has stopped to send is told so, and its connection ends. */
const stalled = (): HttpProblem =>
  new HttpProblem(400, 'BODY_STALLED', {
    message: `body: must arrive without a pause of more than ${PAUSE_MS / 1000} s`,
    headers: { connection: 'close' },
  });

/**
 * Watches that a body goes on coming while somebody takes it; slow ones are let be.
 * @returns ends the watch
 */
export function watchStall(body: Readable, onStall: (problem: HttpProblem) => void): () => void {
  const timer = setTimeout(() => {
    // It is we who take nothing now.
    if (body.isPaused()) timer.refresh();
    else onStall(stalled());
  }, PAUSE_MS);
  const onData = () => timer.refresh();
  body.on('data', onData);
  return () => {
    clearTimeout(timer);
    body.off('data', onData);
  };
}

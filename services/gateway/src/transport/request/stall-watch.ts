import type { Readable } from 'node:stream';
import { HttpProblem } from '../response/problem.ts';

/** Longest pause within a body. It is below the idle time of connections (app.ts), after which they end without an answer. */
const PAUSE_MS = 30_000;

/** A client that stops sending gets an error answer, and its connection ends. */
const stalled = (): HttpProblem =>
  new HttpProblem(400, 'BODY_STALLED', {
    message: `body: must arrive without a pause of more than ${PAUSE_MS / 1000} s`,
    headers: { connection: 'close' },
  });

/**
 * Watches that a body keeps coming while it is being read; slow bodies are allowed.
 * @returns ends the watch
 */
export function watchStall(body: Readable, onStall: (problem: HttpProblem) => void): () => void {
  const timer = setTimeout(() => {
    // The reader is paused, not the client.
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

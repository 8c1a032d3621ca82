import { currentRequestId } from './request-context.ts';

/** A call that is answered, or a message that is handled. */
type Work = { readonly name: string; readonly requestId: string | undefined };

/** Shown in one line, the longest in work first. */
const SHOWN = 8;
/** Those that have ended since the last question are remembered, so many of them. */
const ENDED = 32;

const running = new Set<Work>();
/** They may have ended in the same turn in which they computed. */
let ended: Work[] = [];
let endedBefore: Work[] = [];

/** @returns ends it */
export function beginWork(name: string): () => void {
  const work = { name, requestId: currentRequestId() };
  running.add(work);
  return () => {
    if (running.delete(work) && ended.length < ENDED) ended.push(work);
  };
}

/** Lists what is in work, or was since the question before the last one; how many more there are. */
export function workMeanwhile(): { readonly work: readonly Work[]; readonly more: number } {
  const all = [...endedBefore, ...ended, ...running];
  endedBefore = ended;
  ended = [];
  return { work: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
}

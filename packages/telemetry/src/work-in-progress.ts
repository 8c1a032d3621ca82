import { Bag } from '@catchment/fair-queue';
import { currentRequestId } from './request-context.ts';

/** A call that is answered, or a message that is handled. */
type Work = { readonly name: string; readonly requestId: string | undefined };

/** Shown in one line, the longest in work first. */
const SHOWN = 8;
/** Those that have ended since the last question are remembered, this many of them. */
const ENDED = 32;

const running = new Bag<{ readonly work: Work; readonly nth: number }>();
let begun = 0;
/** They may have ended in the same turn in which they computed. */
let ended: Work[] = [];
let endedBefore: Work[] = [];

/** @returns ends it */
export function beginWork(name: string): () => void {
  const work = { name, requestId: currentRequestId() };
  begun += 1;
  const leave = running.add({ work, nth: begun });
  return () => {
    if (leave() && ended.length < ENDED) ended.push(work);
  };
}

/** Lists what is in work, or was since the question before the last one; how many more there are. */
export function workMeanwhile(): { readonly work: readonly Work[]; readonly more: number } {
  const inOrder = running.all().sort((a, b) => a.nth - b.nth);
  const all = [...endedBefore, ...ended, ...inOrder.map(({ work }) => work)];
  endedBefore = ended;
  ended = [];
  return { work: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) };
}

import { useRef, useState } from 'preact/hooks';
import { changesOf } from '../changes.ts';
import { begun, chose, did, type History, redid, type Step, undid } from '../history.ts';
import { type Records, type Work, workOf } from '../records.ts';
import { type Mask, nothing } from '../selections.ts';

type Held = { readonly base: Records; readonly history: History };

/** Holds the records with the steps that were taken; work that was kept from before is a step, which can be taken back. */
export function useSteps(firstBase: Records, firstWork: Work) {
  const [{ base, history }, setHeld] = useState<Held>(() => {
    const clean = begun({ work: workOf(firstBase), mask: nothing(firstBase) });
    const isRestored = changesOf(firstBase, firstWork).places.length > 0;
    const history = isRestored ? did(clean, { work: firstWork, mask: nothing(firstWork) }) : clean;
    return { base: firstBase, history };
  });
  const version = useRef(0);
  const last = useRef(history.now);
  if (last.current !== history.now) version.current += 1;
  last.current = history.now;
  const change = (to: (before: History) => History) => setHeld((held) => ({ ...held, history: to(held.history) }));
  return {
    base,
    work: history.now.work,
    mask: history.now.mask,
    /** Each change of the records or of what is chosen brings another one. */
    version: version.current,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => change(undid),
    redo: () => change(redid),
    take: (next: Step) => change((before) => did(before, next)),
    mark: (mask: Mask) => change((before) => chose(before, mask)),
    startAgain: (base: Records, work: Work) => setHeld({ base, history: begun({ work, mask: nothing(work) }) }),
  };
}

import { useMemo, useRef, useState } from 'preact/hooks';
import type { Node } from '../../../../data/nodes/nodes.ts';
import { type Range, ratingsOf } from '../../../../data/records/mend.ts';
import type { Qualities } from '../../../../data/records/quality.ts';
import { useAsked } from '../../../../data/requests/use-asked.ts';
import { changesOf, type Transform } from '../changes.ts';
import type { Coding } from '../coding.ts';
import { type Conflict, rebased } from '../conflict.ts';
import { followsOf, rulesOf } from '../follows.ts';
import type { Records, Work } from '../records.ts';
import { loaded, type Result, save } from '../saving.ts';

export type SaveDialogProps = {
  readonly node: Node;
  readonly range: Range;
  readonly base: Records;
  readonly work: Work;
  readonly transform: Transform;
  readonly coding: Coding;
  readonly qualities: Qualities | undefined;
  readonly onSaved: (result: Result) => void;
  readonly onClose: () => void;
};

type Phase =
  /** `written` counts records, before it was seen that somebody else has changed others. */
  | { readonly kind: 'review'; readonly written?: number }
  | { readonly kind: 'writing'; readonly done: number; readonly isChecking: boolean }
  | { readonly kind: 'result'; readonly result: Result };

/** Compares the work with what is stored by now, settles what two people have changed, and writes. */
export function useSave({ node, range, base, work, transform, coding, onSaved }: SaveDialogProps) {
  const [phase, setPhase] = useState<Phase>({ kind: 'review' });
  const [choices, setChoices] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [again, setAgain] = useState(0);
  const { value: now, error, isLoading } = useAsked((signal) => loaded(node._id, range, coding, signal), [again]);
  const ratings = useAsked((signal) => ratingsOf(node._id, signal).catch(() => []), [node._id]);
  const review = useMemo(() => now && rebased(base, work, now, (ms) => choices.get(ms) ?? true), [now, choices]);
  const changes = useMemo(() => now && review && changesOf(now, review.work), [now, review]);
  const follows = useMemo(() => {
    const rules = coding.kind === 'number' ? rulesOf(node) : undefined;
    const newestMs = Date.parse(String(node.currentTime ?? '')) || undefined;
    return now && review && changes && followsOf(now, review.work, changes, rules, newestMs);
  }, [now, review, changes]);
  const isSettled = review?.conflicts.every(({ ms }) => choices.has(ms)) ?? false;
  const seen = useRef('');
  seen.current = review ? keyOf(review.conflicts) : '';

  /** Shows what came since the records were compared. Choices stay where they are about the same. */
  const compareAgain = (latest: Records, written?: number) => {
    const fresh = rebased(base, work, latest, () => true);
    const known = new Map(review?.conflicts.map((conflict) => [conflict.ms, keyOf([conflict])]));
    const still = new Set(
      fresh.conflicts.filter((conflict) => known.get(conflict.ms) === keyOf([conflict])).map(({ ms }) => ms),
    );
    setChoices(new Map([...choices].filter(([ms]) => still.has(ms))));
    setAgain((n) => n + 1);
    setPhase({ kind: 'review', ...(written !== undefined && { written }) });
  };

  const write = async () => {
    if (!now || !review || !isSettled) return;
    setPhase({ kind: 'writing', done: 0, isChecking: false });
    try {
      // Time has passed since the records were compared: records that came meanwhile are shown before anything is written. The server
      // sees those that come from here on, and refuses.
      const latest = await loaded(node._id, range, coding, AbortSignal.timeout(120_000));
      const fresh = rebased(base, work, latest, (ms) => choices.get(ms) ?? true);
      if (keyOf(fresh.conflicts) !== seen.current) {
        compareAgain(latest);
        return;
      }
      const result = await save({
        nodeId: node._id,
        range,
        base: latest,
        work: fresh.work,
        transform,
        coding,
        onSent: (done) => setPhase({ kind: 'writing', done, isChecking: false }),
        onCheck: () =>
          setPhase((before) => ({ kind: 'writing', done: 'done' in before ? before.done : 0, isChecking: true })),
      });
      if (result.isOvertaken && result.after) {
        compareAgain(result.after.base, result.written);
        return;
      }
      setPhase({ kind: 'result', result });
      onSaved(result);
    } catch {
      // The records are compared again, and the comparison reports why they cannot be loaded.
      setAgain((n) => n + 1);
      setPhase({ kind: 'review' });
    }
  };

  return {
    phase,
    error: isLoading ? undefined : error,
    /** Undefined while records are compared. */
    compared: now && review && changes && follows && !isLoading ? { now, review, changes, follows } : undefined,
    count: changes?.places.length ?? 0,
    ratings: ratings.value ?? [],
    choices,
    choose: (some: readonly number[], isMine: boolean) =>
      setChoices(new Map([...choices, ...some.map((ms) => [ms, isMine] as const)])),
    isSettled,
    retry: () => setAgain((n) => n + 1),
    write,
  };
}

/** Conflicts as they are shown: another text is another question. */
const keyOf = (conflicts: readonly Conflict[]): string =>
  JSON.stringify(conflicts.map(({ ms, theirs }) => [ms, theirs ?? null]));

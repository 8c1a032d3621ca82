import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Node } from '../../../data/nodes/nodes.ts';
import { type Range, ratingsOf } from '../../../data/records/mend.ts';
import type { Qualities } from '../../../data/records/quality.ts';
import { valueOrNone } from '../../../data/records/values.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { times } from '../../../data/times.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { changesOf, type Transform } from './changes.ts';
import type { Coding } from './coding.ts';
import { type Conflict, rebased } from './conflict.ts';
import { type Follows, followsOf, type Newest, rulesOf } from './follows.ts';
import { type Cell, NO_QUALITY, type Records, type Work } from './records.ts';
import { loaded, type Result, save } from './saving.ts';
import { say } from './words.ts';

/** Conflicts that are settled one by one; more are settled together. */
const MOST_SHOWN = 100;
const MOST_TIMES = 5;

type SaveDialogProps = {
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
  /** `written`: so many records, before it was seen that somebody else has changed others. */
  | { readonly kind: 'review'; readonly written?: number }
  | { readonly kind: 'writing'; readonly done: number; readonly isChecking: boolean }
  | { readonly kind: 'result'; readonly result: Result };

/** Compares, shows what changes and what follows, settles what two people have changed, writes, and says what was written. */
export function SaveDialog({
  node,
  range,
  base,
  work,
  transform,
  coding,
  qualities,
  onSaved,
  onClose,
}: SaveDialogProps) {
  const text = say();
  const { ui } = words.value;
  const { whole } = times();
  const [phase, setPhase] = useState<Phase>({ kind: 'review' });
  const [choices, setChoices] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [again, setAgain] = useState(0);
  const { value: now, error, isLoading } = useAsked((signal) => loaded(node._id, range, coding, signal), [again]);
  const ratings = useAsked((signal) => ratingsOf(node._id, signal).catch(() => []), [node._id]);
  const review = useMemo(() => now && rebased(base, work, now, (ms) => choices.get(ms) ?? true), [now, choices]);
  const changes = useMemo(() => now && review && changesOf(now, review.work), [now, review]);
  const follows = useMemo(
    () =>
      now &&
      review &&
      changes &&
      followsOf(
        now,
        review.work,
        changes,
        coding.kind === 'number' ? rulesOf(node) : undefined,
        Date.parse(String(node.currentTime ?? '')) || undefined,
      ),
    [now, review, changes],
  );
  const count = changes?.places.length ?? 0;
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
      // Time has passed since the records were compared: what came meanwhile is shown before anything is written. What comes from here on the
      // server sees, and refuses.
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
      setAgain((n) => n + 1);
      setPhase({ kind: 'review' });
    }
  };

  return (
    <Dialog
      title={text.review}
      class="mend-dialog"
      closeText={text.stays}
      onClose={phase.kind === 'writing' ? undefined : onClose}
    >
      {phase.kind === 'writing' ? (
        <Sending of={count} done={phase.done} isChecking={phase.isChecking} />
      ) : phase.kind === 'result' ? (
        <Outcome result={phase.result} onClose={onClose} />
      ) : error !== undefined && !isLoading ? (
        <>
          <Problem
            text={`${text.saveFailed} ${errorText(error)}`}
            again={() => setAgain((n) => n + 1)}
            againText={ui.again}
          />
          <p class="buttons">
            <Button onClick={onClose}>{text.stays}</Button>
          </p>
        </>
      ) : !review || !changes || !follows || isLoading ? (
        <Busy text={text.comparing} />
      ) : (
        <>
          {phase.written !== undefined && (
            <p role="alert">
              {text.overtaken} {text.written(phase.written)}
            </p>
          )}
          {count === 0 ? (
            <p>{text.nothingLeft}</p>
          ) : (
            <p>
              <strong>{text.sums(changes.added, changes.changed, changes.deleted)}</strong>{' '}
              {text.between(
                whole(review.work.times[changes.places[0]!]!),
                whole(review.work.times[changes.places.at(-1)!]!),
              )}
            </p>
          )}
          {review.adopted > 0 && <p>{text.adopted(review.adopted)}</p>}
          {review.conflicts.length > 0 && (
            <Conflicts
              node={node}
              coding={coding}
              conflicts={review.conflicts}
              choices={choices}
              qualities={qualities}
              onChoose={(some, isMine) => setChoices(new Map([...choices, ...some.map((ms) => [ms, isMine] as const)]))}
            />
          )}
          <FollowsView node={node} coding={coding} follows={follows} ratings={ratings.value ?? []} />
          <p class="buttons">
            {count > 0 || !isSettled ? (
              <Button look="main" disabled={!isSettled} onClick={write} autofocus>
                {text.saveNow(count)}
              </Button>
            ) : (
              <Button
                look="main"
                autofocus
                onClick={() => {
                  onSaved({
                    written: 0,
                    refused: [],
                    missing: [],
                    isOvertaken: false,
                    after: { base: now!, work: review.work },
                  });
                  onClose();
                }}
              >
                {text.done}
              </Button>
            )}
            <Button onClick={onClose}>{text.stays}</Button>
            {!isSettled && <span class="soft">{text.settle}</span>}
          </p>
        </>
      )}
    </Dialog>
  );
}

/** Shows how many records are sent, and that they are compared afterwards. */
function Sending({
  of,
  done,
  isChecking,
}: {
  readonly of: number;
  readonly done: number;
  readonly isChecking: boolean;
}) {
  const text = say();
  const number = (n: number) => n.toLocaleString(language.value);
  return (
    <div class="mend-sending" role="status">
      <progress max={Math.max(of, 1)} value={done} aria-label={text.review} />
      <p>{isChecking ? text.checking : text.writing(number(done), number(of))}</p>
    </div>
  );
}

/** Conflicts as they are shown: another text is another question. */
const keyOf = (conflicts: readonly Conflict[]): string =>
  JSON.stringify(conflicts.map(({ ms, theirs }) => [ms, theirs ?? null]));

type ConflictsProps = {
  readonly node: Node;
  readonly coding: Coding;
  readonly conflicts: readonly Conflict[];
  readonly choices: ReadonlyMap<number, boolean>;
  readonly qualities: Qualities | undefined;
  readonly onChoose: (ms: readonly number[], isMine: boolean) => void;
};

function Conflicts({ node, coding, conflicts, choices, qualities, onChoose }: ConflictsProps) {
  const text = say();
  const { whole } = times();
  const cellText = (cell: Cell | undefined) =>
    cell === undefined
      ? text.noRecord
      : [
          valueOrNone(node, coding.valueOf(cell.value ?? Number.NaN)),
          cell.quality !== NO_QUALITY && (qualities?.of(cell.quality).name ?? String(cell.quality)),
          cell.note !== undefined && `«${cell.note}»`,
        ]
          .filter(Boolean)
          .join(', ');
  const all = conflicts.map(({ ms }) => ms);
  return (
    <section class="mend-conflicts" aria-label={text.conflicts(conflicts.length)}>
      <h3>{text.conflicts(conflicts.length)}</h3>
      <p>{text.conflictsText}</p>
      <p class="buttons">
        <Button onClick={() => onChoose(all, true)}>{text.allMine}</Button>
        <Button onClick={() => onChoose(all, false)}>{text.allTheirs}</Button>
      </p>
      <ul>
        {conflicts.slice(0, MOST_SHOWN).map(({ ms, base, mine, theirs }) => (
          <li key={ms}>
            <fieldset>
              <legend>
                {whole(ms)} <span class="soft">{`${text.before}: ${cellText(base)}`}</span>
              </legend>
              {([true, false] as const).map((isMine) => (
                <label key={String(isMine)} class="check">
                  <input
                    type="radio"
                    name={`conflict-${ms}`}
                    checked={choices.get(ms) === isMine}
                    onChange={() => onChoose([ms], isMine)}
                  />
                  <span>
                    {isMine ? text.mine : text.theirs}: <bdi>{cellText(isMine ? mine : theirs)}</bdi>
                  </span>
                </label>
              ))}
            </fieldset>
          </li>
        ))}
      </ul>
      {conflicts.length > MOST_SHOWN && <p>{text.moreConflicts(conflicts.length - MOST_SHOWN)}</p>}
    </section>
  );
}

type FollowsProps = {
  readonly node: Node;
  readonly coding: Coding;
  readonly follows: Follows;
  readonly ratings: readonly string[];
};

/** Shows what the rules of the parameter lead to. */
function FollowsView({ node, coding, follows, ratings }: FollowsProps) {
  const text = say();
  const number = (n: number) => n.toLocaleString(language.value);
  const { newest, counts } = follows;
  return (
    <section class="mend-follows" aria-label={text.follows}>
      <h3>{text.follows}</h3>
      <ul>
        {newest ? <NewestView node={node} coding={coding} {...newest} /> : <li>{text.followsNothing}</li>}
        {counts.map(({ name, before, after }) => (
          <li key={name}>{text.countsText(name, number(before), number(after))}</li>
        ))}
        {ratings.length > 0 && <li>{text.ratings(ratings.join(', '))}</li>}
        <li>{text.programs}</li>
      </ul>
      <p class="soft">{text.byRules}</p>
    </section>
  );
}

function NewestView({
  node,
  coding,
  before,
  after,
}: {
  readonly node: Node;
  readonly coding: Coding;
  readonly before: Newest | undefined;
  readonly after: Newest | undefined;
}) {
  const text = say();
  const { whole } = times();
  if (!after) return <li>{text.newestGone}</li>;
  const [was, is] = [before?.state, after.state];
  const name = (state: typeof was) => state?.name ?? '–';
  return (
    <>
      <li>{text.newestIs(valueOrNone(node, coding.valueOf(after.value)), whole(after.ms))}</li>
      {(was || is) && (
        <li>
          {was === is ? text.stateStays(name(is)) : text.stateBecomes(name(was), name(is))}{' '}
          {is?.isAlarm && !was?.isAlarm && <strong>{text.raises}</strong>}
          {was?.isAlarm && !is?.isAlarm && text.clears}
        </li>
      )}
    </>
  );
}

function Outcome({ result, onClose }: { readonly result: Result; readonly onClose: () => void }) {
  const text = say();
  const { whole } = times();
  const { written, refused, missing, after } = result;
  const button = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => button.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <p role="status">
        <strong>{text.written(written)}</strong>
      </p>
      {refused.length > 0 && (
        <section role="alert" class="mend-refused">
          <h3>{text.refusedParts}</h3>
          <ul>
            {refused.map(({ startMs, endMs, count, error }) => (
              <li key={startMs}>
                {text.refusedPart(whole(startMs), whole(endMs), count)}
                <strong>{error === undefined ? text.notSent : errorText(error)}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      {missing.length > 0 && (
        <p role="alert">
          {text.missing(missing.length)} {missing.slice(0, MOST_TIMES).map(whole).join(', ')}
          {missing.length > MOST_TIMES && ' …'}
        </p>
      )}
      {(refused.length > 0 || missing.length > 0) && <p>{text.kept}</p>}
      {!after && <p role="alert">{text.notReadable}</p>}
      <p ref={button} class="buttons">
        <Button look="main" onClick={onClose}>
          {text.done}
        </Button>
      </p>
    </>
  );
}

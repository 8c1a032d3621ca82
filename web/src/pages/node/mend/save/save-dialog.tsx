import { times } from '../../../../data/times.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Busy, Problem } from '../../../../ui/notes.tsx';
import { errorText } from '../../../../words/error-text.ts';
import { language, words } from '../../../../words/index.ts';
import { say } from '../words.ts';
import { Conflicts } from './conflicts.tsx';
import { FollowsView } from './follows-view.tsx';
import { Outcome } from './outcome.tsx';
import { type SaveDialogProps, useSave } from './use-save.ts';

/** Compares, shows what changes and what follows, settles what two people have changed, writes, and says what was written. */
export function SaveDialog(props: SaveDialogProps) {
  const text = say();
  const saving = useSave(props);
  const { phase } = saving;
  return (
    <Dialog
      title={text.review}
      class="mend-dialog"
      closeText={text.stays}
      onClose={phase.kind === 'writing' ? undefined : props.onClose}
    >
      {phase.kind === 'writing' ? (
        <Sending of={saving.count} done={phase.done} isChecking={phase.isChecking} />
      ) : phase.kind === 'result' ? (
        <Outcome result={phase.result} onClose={props.onClose} />
      ) : (
        <Review {...props} saving={saving} written={phase.written} />
      )}
    </Dialog>
  );
}

type ReviewProps = SaveDialogProps & {
  readonly saving: ReturnType<typeof useSave>;
  /** This many records were written before somebody else was seen to have changed others. */
  readonly written: number | undefined;
};

/** Shows what changes and what follows, before anything is written. */
function Review({ node, coding, qualities, saving, written, onClose, onSaved }: ReviewProps) {
  const text = say();
  const { ui } = words.value;
  const { whole } = times();
  const { compared, count, choices, isSettled } = saving;
  if (saving.error !== undefined)
    return (
      <>
        <Problem text={`${text.saveFailed} ${errorText(saving.error)}`} again={saving.retry} againText={ui.again} />
        <p class="buttons">
          <Button onClick={onClose}>{text.stays}</Button>
        </p>
      </>
    );
  if (!compared) return <Busy text={text.comparing} />;
  const { now, review, changes, follows } = compared;
  const finish = () => {
    onSaved({ written: 0, refused: [], missing: [], isOvertaken: false, after: { base: now, work: review.work } });
    onClose();
  };
  return (
    <>
      {written !== undefined && (
        <p role="alert">
          {text.overtaken} {text.written(written)}
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
          onChoose={saving.choose}
        />
      )}
      <FollowsView node={node} coding={coding} follows={follows} ratings={saving.ratings} />
      <p class="buttons">
        {count > 0 || !isSettled ? (
          <Button look="main" disabled={!isSettled} onClick={saving.write} autofocus>
            {text.saveNow(count)}
          </Button>
        ) : (
          <Button look="main" autofocus onClick={finish}>
            {text.done}
          </Button>
        )}
        <Button onClick={onClose}>{text.stays}</Button>
        {!isSettled && <span class="soft">{text.settle}</span>}
      </p>
    </>
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

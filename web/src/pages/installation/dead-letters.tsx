import { useState } from 'preact/hooks';
import { type DeadLetter, dropDeadLetter, readDeadLetters, retryDeadLetter } from '../../data/session/operator.ts';
import { Since } from '../../parts/since.tsx';
import { sizeText } from '../../parts/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { usePages } from './use-pages.ts';
import { say } from './words.ts';

type Asked = { readonly kind: 'retry' | 'drop'; readonly letter: DeadLetter };

/** Shows messages that were put aside: each is tried again, or removed, after a question that names what follows. */
export function DeadLetters() {
  const text = say();
  const { ui } = words.value;
  const [asked, setAsked] = useState<Asked>();
  const pages = usePages<DeadLetter, number>(async (after, signal) => {
    const { letters, next } = await readDeadLetters(after ?? 0, signal);
    return { items: letters, next };
  }, []);
  return (
    <>
      {pages.error !== undefined && <Problem text={errorText(pages.error)} again={pages.again} againText={ui.again} />}
      {pages.items === undefined && pages.isLoading && <Busy text={ui.loading} />}
      {pages.items?.length === 0 && (
        <EmptyState icon="check" title={text.noDeadLetter}>
          {text.noLetterText}
        </EmptyState>
      )}
      {pages.items && pages.items.length > 0 && (
        <>
          <p class="soft">{text.deadLettersLead}</p>
          <ul class="operator-list" aria-label={text.tabs.letters} aria-busy={pages.isLoading}>
            {pages.items.map((letter) => (
              <li key={letter.number}>
                <div>
                  <strong>{text.deadLetterOf(letter.number, letter.reader)}</strong>
                  <p lang="en">{letter.reason}</p>
                  <p class="soft">
                    {letter.subject} · {sizeText(letter.bytes)} · {text.putAside} <Since iso={letter.deadTime} />
                  </p>
                </div>
                <span class="buttons">
                  <Button aria-label={text.retryOf(letter.number)} onClick={() => setAsked({ kind: 'retry', letter })}>
                    {text.retry}
                  </Button>
                  <Button
                    icon="trash"
                    aria-label={text.dropOf(letter.number)}
                    onClick={() => setAsked({ kind: 'drop', letter })}
                  >
                    {text.drop}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {pages.hasMore && (
        <p class="buttons">
          <Button isBusy={pages.isLoading} onClick={pages.more}>
            {text.more}
          </Button>
        </p>
      )}
      {asked && <Question asked={asked} onDone={pages.again} onClose={() => setAsked(undefined)} />}
    </>
  );
}

type QuestionProps = { readonly asked: Asked; readonly onDone: () => void; readonly onClose: () => void };

function Question({ asked: { kind, letter }, onDone, onClose }: QuestionProps) {
  const text = say();
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isDrop = kind === 'drop';
  const run = async () => {
    setBusy(true);
    setProblem('');
    try {
      if (isDrop) {
        await dropDeadLetter(letter.number);
        toast(text.dropped(letter.number));
      } else {
        const { outcome, letter: again } = await retryDeadLetter(letter.number);
        if (outcome === 'FAILED' && again) toast(text.outcomes.FAILED(again.number, again.reason), { isBad: true });
        else toast(text.outcomes[outcome](letter.number, ''));
      }
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
    onDone();
  };
  return (
    <Dialog
      title={isDrop ? text.dropTitle(letter.number) : text.retryTitle(letter.number)}
      onClose={isBusy ? undefined : onClose}
      closeText={ui.close}
    >
      <div class="form">
        <p>{isDrop ? text.dropText(letter.reader, sizeText(letter.bytes)) : text.retryText(letter.reader)}</p>
        <p class="soft" lang="en">
          {letter.reason}
        </p>
        <DialogAnswers
          problem={problem}
          isBusy={isBusy}
          main={isDrop ? text.drop : text.retry}
          cancel={ui.cancel}
          onCancel={onClose}
          look={isDrop ? 'danger' : 'main'}
          onMain={run}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}

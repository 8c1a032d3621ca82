import { useRef, useState } from 'preact/hooks';
import { actOnAlarms, keyOf, type Outcome } from '../data/alarms/alarm-list.ts';
import type { Alarm } from '../data/alarms/alarms.ts';
import { runJob } from '../data/transfers/jobs.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogAnswers } from '../ui/dialog-answers.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';
import { placeOf, typeText } from './alarm-names.ts';

export type AlarmAction = 'acknowledge' | 'clear';

type DialogProps = {
  readonly action: AlarmAction;
  readonly alarms: readonly Alarm[];
  readonly onClose: () => void;
  /** Called after the server has done it, for some or all. */
  readonly onDone: () => void;
};

/** A dialog shows this many names; of more it says how many. */
const MOST_NAMED = 5;
const COMMENT_MAX = 500;
/** This many take long enough to be looked after elsewhere. */
const MANY = 1_000;

/** Asks for a comment, then acknowledges or clears; refusals are shown one by one. */
export function AcknowledgeDialog({ action, alarms, onClose, onDone }: DialogProps) {
  const { alarms: say, ui } = words.value;
  const field = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [refused, setRefused] = useState<readonly Outcome[]>();
  const title = action === 'acknowledge' ? say.acknowledgeMany(alarms.length) : say.clearMany(alarms.length);

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem('');
    const comment = field.current?.value.trim() ?? '';
    const act = (progress?: (part: number) => void) => actOnAlarms(action, alarms, comment, progress);
    try {
      const outcomes = await (alarms.length > MANY ? runJob(title, act) : act());
      const bad = outcomes.filter(({ code }) => code >= 400);
      const done = outcomes.length - bad.length;
      onDone();
      if (done > 0) toast(action === 'acknowledge' ? say.acknowledged(done) : say.cleared(done));
      if (bad.length === 0) onClose();
      else setRefused(bad);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };

  if (refused)
    return (
      <Dialog title={say.refusedTitle} onClose={onClose} closeText={ui.close}>
        <p>{say.refused(refused.length)}</p>
        <ul class="outcomes">
          {refused.map((outcome) => {
            const alarm = alarms.find((alarm) => keyOf(alarm) === keyOf(outcome));
            return (
              <li key={keyOf(outcome)}>
                <bdi>{alarm ? placeOf(alarm).name : outcome.nodeId}</bdi>
                {`, ${typeText(outcome.alarmType)}: ${errorText(outcome)}`}
              </li>
            );
          })}
        </ul>
        <DialogAnswers main={ui.close} onMain={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={isBusy ? undefined : onClose} closeText={ui.close}>
      <form class="form" onSubmit={(event) => void send(event)}>
        <ul class="outcomes">
          {alarms.slice(0, MOST_NAMED).map((alarm) => (
            <li key={keyOf(alarm)}>
              <bdi>{placeOf(alarm).name}</bdi>
              <span class="soft" dir="auto">{` ${alarm.message ?? typeText(alarm.alarmType)}`}</span>
            </li>
          ))}
          {alarms.length > MOST_NAMED && <li class="soft">{`+ ${alarms.length - MOST_NAMED}`}</li>}
        </ul>
        {action === 'clear' && <p class="hint">{say.clearWhat}</p>}
        <label>
          <span>{say.comment}</span>
          <input ref={field} type="text" dir="auto" maxLength={COMMENT_MAX} placeholder={say.commentHint} autofocus />
        </label>
        <DialogAnswers
          problem={problem}
          main={action === 'acknowledge' ? say.acknowledge : say.clear}
          isBusy={isBusy}
          cancel={ui.cancel}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

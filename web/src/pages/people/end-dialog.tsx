import { useState } from 'preact/hooks';
import { grant, type Who } from '../../data/people/access.ts';
import type { Workspace } from '../../data/people/people.ts';
import { times } from '../../data/times.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { act } from './acting.ts';
import { accessProblem } from './problem-text.ts';
import { say } from './words.ts';

export type Ending = {
  readonly who: Who;
  readonly name: string;
  readonly workspace: Pick<Workspace, '_id' | 'name'>;
  readonly role: string;
  /** The role ends at this time now; null: it does not end. */
  readonly expiryTime: string | null;
};

/** Returns the text that a field for local times has, to the minute. */
const inputMinute = (clockMs: number): string => new Date(clockMs).toISOString().slice(0, 16);

/** Asks when access ends, in the zone of the reader's profile. */
export function EndDialog({ ending, onClose }: { readonly ending: Ending; readonly onClose: () => void }) {
  const text = say();
  const { ui } = words.value;
  const { zone, whole } = times();
  const { who, name, workspace, role, expiryTime } = ending;
  const [clock, setClock] = useState(() => {
    const ms = Date.parse(expiryTime ?? '');
    return Number.isFinite(ms) ? inputMinute(ms + zone.offsetMs(ms)) : '';
  });
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const set = async (end: string | null) => {
    setBusy(true);
    const change = (to: string | null, from: string | null) =>
      grant(workspace._id, who, { role, expiryTime: to }, { was: { role, expiryTime: from } });
    try {
      await change(end, expiryTime);
      onClose();
      toast(
        end === null
          ? text.endCleared(name, workspace.name)
          : text.endSet(name, workspace.name, whole(Date.parse(end))),
        {
          action: { label: ui.undo, run: () => void act(() => change(expiryTime, end), text.endBack(name)) },
        },
      );
    } catch (error) {
      setProblem(accessProblem(error));
      setBusy(false);
    }
  };
  const send = () => {
    const ms = zone.instant(Date.parse(`${clock}Z`));
    const lack = !Number.isFinite(ms) ? text.endMissing : ms <= Date.now() ? text.endPast : '';
    setProblem(lack);
    if (lack === '') void set(new Date(ms).toISOString());
  };
  return (
    <FormDialog
      title={text.endTitle(name, workspace.name)}
      problem={problem}
      isBusy={isBusy}
      main={text.endSave}
      answers={
        expiryTime !== null && (
          <Button isBusy={isBusy} onClick={() => set(null)}>
            {' '}
            {text.endClear}{' '}
          </Button>
        )
      }
      onSend={send}
      onClose={onClose}
    >
      <label>
        <span>{text.endsOn(zone.name)}</span>
        <input autofocus type="datetime-local" value={clock} onInput={(event) => setClock(event.currentTarget.value)} />
      </label>
      <p class="hint">{text.endHint}</p>
    </FormDialog>
  );
}

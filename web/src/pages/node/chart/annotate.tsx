import { useState } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { annotate, LONGEST_NOTE, MOST_ANNOTATED, NotesChanged, recordsIn } from '../../../data/records/annotations.ts';
import { valueOrNone } from '../../../data/records/values.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { times } from '../../../data/times.ts';
import { inputTime } from '../../../parts/event-table.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';

type AnnotateProps = {
  readonly node: Node;
  /** This range was picked in the chart; absent while there is none. */
  readonly range: Window | undefined;
  readonly onRange: (range: Window) => void;
  readonly onClose: () => void;
  readonly onSaved: () => void;
};

/** Writes an annotation to a record, or to all of a range, that were picked in the chart or are given by their times. */
export function Annotate({ node, range, onRange, onClose, onSaved }: AnnotateProps) {
  const { node: say, ui } = words.value;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const [isSaving, setSaving] = useState(false);
  const {
    value: records,
    error,
    isLoading,
    again,
  } = useAsked(
    async (signal) => (range ? recordsIn(node._id, range, signal) : []),
    [node._id, range?.start, range?.end],
  );
  const notes = [...new Set((records ?? []).flatMap(({ note }) => note ?? []))];
  const isTooMany = (records?.length ?? 0) > MOST_ANNOTATED;
  const isReady = range !== undefined && !isLoading && (records?.length ?? 0) > 0 && !isTooMany;
  const canSave = isReady && (text.trim() !== '' || notes.length > 0);
  const save = async () => {
    if (!canSave || !records || isSaving) return;
    setProblem('');
    setSaving(true);
    try {
      await annotate(node._id, records, text.trim());
      toast(text.trim() === '' ? say.noteRemoved(records.length) : say.noted(records.length));
      onSaved();
    } catch (failure) {
      setProblem(failure instanceof NotesChanged ? say.notesChanged : errorText(failure));
      if (failure instanceof NotesChanged) again();
      setSaving(false);
    }
  };
  return (
    <form
      class="annotate"
      aria-label={say.annotate}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <p class="soft">{say.annotateHint}</p>
      <div class="annotate-fields">
        <Time
          label={say.from}
          ms={range?.start}
          onTime={(ms) => onRange({ start: ms, end: Math.max(ms, range?.end ?? ms) })}
        />
        <Time
          label={say.to}
          ms={range?.end}
          onTime={(ms) => onRange({ start: Math.min(ms, range?.start ?? ms), end: ms })}
        />
        <label class="annotate-text">
          <span>{say.note}</span>
          <input
            type="text"
            class="field"
            value={text}
            maxLength={LONGEST_NOTE}
            dir="auto"
            autofocus
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <Button look="main" type="submit" disabled={!canSave} isBusy={isSaving}>
          {text.trim() === '' && notes.length > 0 ? say.removeNotes : say.writeNote}
        </Button>
        <Button onClick={onClose}>{ui.cancel}</Button>
      </div>
      <p aria-live="polite">
        {error !== undefined
          ? errorText(error)
          : range === undefined || isLoading
            ? ''
            : isTooMany
              ? say.tooManyNoted(MOST_ANNOTATED)
              : records?.length === 1
                ? say.notedRecord(times().whole(records[0]!.ms), valueOrNone(node, records[0]!.value))
                : say.notedRecords(records?.length ?? 0)}
        {notes.length > 0 && (
          <>
            {' '}
            {say.replacesNotes} <bdi>{notes.slice(0, 3).join(' · ')}</bdi>
            {notes.length > 3 && ' …'}
          </>
        )}
      </p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

type TimeProps = { readonly label: string; readonly ms: number | undefined; readonly onTime: (ms: number) => void };

/** Takes a time in the person's zone, to the second: a record at a part of a second is picked in the chart. */
function Time({ label, ms, onTime }: TimeProps) {
  const { zone } = times();
  return (
    <label>
      <span>{label}</span>
      <input
        type="datetime-local"
        class="field"
        step="1"
        value={ms === undefined ? '' : inputTime(ms + zone.offsetMs(ms))}
        onChange={(event) => {
          const clock = Date.parse(`${event.currentTarget.value}Z`);
          if (Number.isFinite(clock)) onTime(zone.instant(clock));
        }}
      />
    </label>
  );
}

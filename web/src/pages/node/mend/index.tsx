import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { rangeOf, rangeText, type Range as Shown, USUAL, windowOf } from '../../../charts/ranges.ts';
import { nodeAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { MOST_MENDED, type Range, TooMany } from '../../../data/records/mend.ts';
import { isForbidden } from '../../../data/requests/failures.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { times } from '../../../data/times.ts';
import { inputTime } from '../../../parts/event-table.tsx';
import { Button } from '../../../ui/button.tsx';
import { Busy, EmptyState, Problem } from '../../../ui/notes.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { codingOf } from './coding.ts';
import { Desk } from './desk/desk.tsx';
import { restored } from './kept.ts';
import { workOf } from './records.ts';
import { loaded } from './saving.ts';
import { readWork } from './use-kept.ts';
import { hasWords, loadWords, say } from './words.ts';
import '../../../styles/console/mend.css';

const USUAL_RANGES = ['NOW-1D', 'NOW-7D', 'NOW-30D', 'NOW-1Y'] as const;
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Mends the records of a parameter: loads a time of them, and keeps what is changed until it is saved. */
export function Mend({ node }: { readonly node: Node }) {
  const { ui } = words.value;
  const spoken = useAsked(loadWords, [language.value]);
  if (spoken.error !== undefined)
    return <Problem text={words.value.node.failed} again={spoken.again} againText={ui.again} />;
  return hasWords() ? <Loaded key={node._id} node={node} /> : <Busy text={ui.loading} />;
}

function Loaded({ node }: { readonly node: Node }) {
  const text = say();
  const { ui } = words.value;
  const { query, route } = useLocation();
  const coding = useMemo(() => codingOf(node), [node._id]);
  const [kept] = useState(() => readWork(node._id));
  const asked = kept ? ({ kind: 'fixed', start: kept.start, end: kept.end } as const) : rangeOf(query.range ?? '');
  const [shown, setShown] = useState<Shown>(asked ?? USUAL);
  const [range, setRange] = useState<Range>(() => boundsOf(node, shown));
  const [isUnsaved, setUnsaved] = useState(kept !== undefined);
  const [progress, setProgress] = useState(0);
  const { value, error, isLoading, again } = useAsked(
    async (signal) => {
      setProgress(0);
      const now = await loaded(node._id, range, coding, signal, setProgress);
      const work = kept && kept.start === range.start && kept.end === range.end ? readWork(node._id) : undefined;
      if (!work) return { range, base: now, work: workOf(now) };
      toast(text.restored(work.changes.length));
      return { range, ...restored(work, now, coding) };
    },
    [range],
  );
  const show = (next: Shown) => {
    setShown(next);
    setRange(boundsOf(node, next));
    route(nodeAddress(node._id, 'mend', { range: rangeText(next) }), true);
  };
  const isHere = value !== undefined && value.range === range && error === undefined;
  const newest = Date.parse(String(node.currentTime ?? ''));
  const span = range.end - range.start;
  const shorter = Math.min(span / 4, 30 * DAY);
  const shorterMs = shorter >= DAY ? Math.floor(shorter / DAY) * DAY : Math.max(Math.floor(shorter / HOUR), 1) * HOUR;
  return (
    <div class="mend">
      <p class="soft">{coding.kind === 'number' ? text.hint : text.hintOfTexts}</p>
      <RangeBar key={`${range.start} ${range.end}`} range={range} shown={shown} isLocked={isUnsaved} onShow={show} />
      {error instanceof TooMany ? (
        <EmptyState
          icon="warning"
          title={text.tooMany(MOST_MENDED)}
          action={
            <Button
              look="main"
              onClick={() => {
                const end = Math.min(range.end, Number.isFinite(newest) ? newest + 1 : range.end);
                show({ kind: 'fixed', start: end - shorterMs, end });
              }}
            >
              {text.shorter(shorterMs >= DAY ? text.days(shorterMs / DAY) : text.hours(shorterMs / HOUR))}
            </Button>
          }
        >
          {text.tooManyText}
        </EmptyState>
      ) : error !== undefined ? (
        <Problem
          text={isForbidden(error) ? text.refused : `${text.failed} ${errorText(error)}`}
          again={isForbidden(error) ? undefined : again}
          againText={ui.again}
        />
      ) : !isHere || isLoading ? (
        <Busy text={progress > 0 ? text.read(progress) : text.loading} />
      ) : (
        <>
          {value.base.times.length === 0 && (
            <div class="mend-note">
              <strong>{text.none}</strong> <span>{text.noneText}</span>{' '}
              {newest < range.start && (
                <Button
                  onClick={() => show({ kind: 'fixed', start: newest - Math.min(span, 7 * DAY), end: newest + HOUR })}
                >
                  {text.toData(times().short(newest, nowMs.peek()))}
                </Button>
              )}
            </div>
          )}
          <Desk
            key={`${range.start} ${range.end}`}
            node={node}
            range={range}
            coding={coding}
            base={value.base}
            work={value.work}
            onUnsaved={setUnsaved}
          />
        </>
      )}
    </div>
  );
}

/** Returns whole milliseconds; a range up to now ends now, and stays there while its records are mended. */
function boundsOf(node: Node, shown: Shown): Range {
  const now = nowMs.peek();
  const oldest = Date.parse(String(node.oldestTime ?? ''));
  const newest = Date.parse(String(node.currentTime ?? ''));
  const whole = { start: Number.isFinite(oldest) ? oldest : now - DAY, end: Math.max(now, newest || 0) };
  const { start, end } = windowOf(shown, now) ?? whole;
  return { start: Math.floor(start), end: Math.ceil(end) };
}

type RangeBarProps = {
  readonly range: Range;
  readonly shown: Shown;
  readonly isLocked: boolean;
  readonly onShow: (shown: Shown) => void;
};

/** Chooses the time that is mended. */
function RangeBar({ range, shown, isLocked, onShow }: RangeBarProps) {
  const text = say();
  const { node: say2 } = words.value;
  const { zone } = times();
  const local = (ms: number) => inputTime(ms + zone.offsetMs(ms));
  const [from, setFrom] = useState(local(range.start));
  const [to, setTo] = useState(local(range.end));
  const [start, end] = [from, to].map((bound) => {
    const clock = Date.parse(`${bound}Z`);
    return Number.isNaN(clock) ? clock : zone.instant(clock);
  });
  const isRight = start! < end!;
  const [isAsked, setAsked] = useState(false);
  useEffect(() => setAsked(false), [from, to]);
  return (
    <form
      class="mend-range"
      aria-label={text.range}
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (isRight && !isLocked) onShow({ kind: 'fixed', start: start!, end: end! });
      }}
    >
      <Switch
        label={text.range}
        value={rangeText(shown)}
        options={USUAL_RANGES.map((range) => [range, say2.ranges[range]!])}
        isDisabled={isLocked}
        onChange={(range) => onShow(rangeOf(range)!)}
      />
      <label class="tool">
        <span>{text.from}</span>
        <input
          type="datetime-local"
          class="field"
          step="1"
          value={from}
          disabled={isLocked}
          onInput={(event) => setFrom(event.currentTarget.value)}
        />
      </label>
      <label class="tool">
        <span>{text.to}</span>
        <input
          type="datetime-local"
          class="field"
          step="1"
          value={to}
          disabled={isLocked}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" disabled={isLocked || !isRight}>
        {text.load}
      </Button>
      <span class="soft" role="status">
        {isLocked ? text.rangeLocked : isAsked && !isRight ? text.wrongRange : ''}
      </span>
    </form>
  );
}

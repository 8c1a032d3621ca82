import { useState } from 'preact/hooks';
import type { ChartModel } from '../../../charts/chart-model.ts';
import { rangeOf, rangeText, shiftOf, shiftText } from '../../../charts/ranges.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { times } from '../../../data/times.ts';
import type { ExploredData } from '../../../parts/chart/chart-source.ts';
import { shiftWords } from '../../../parts/chart/series.ts';
import { inputTime } from '../../../parts/event-table.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Popover } from '../../../ui/menu.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { words } from '../../../words/index.ts';
import type { Explorer } from './use-explorer.ts';

const RANGES = ['NOW-1D', 'NOW-7D', 'NOW-30D', 'NOW-1Y', 'ALL'] as const;
const SHIFTS = ['', '1D', '1W', '1MO', '1Y', '2Y'] as const;

type BarProps = {
  readonly explorer: Explorer;
  readonly node: Node;
  /** The chart is a picture where it is absent. */
  readonly model?: ChartModel<ExploredData>;
  readonly stepBy?: (share: number) => void;
};

/** Chooses the time that is shown: usual ones, steps, any two dates, and the same time of another year over it. */
export function ChartBar({ explorer, node, model, stepBy }: BarProps) {
  const { node: say } = words.value;
  const { state, change, history } = explorer;
  const shown = rangeText(state.range);
  const tool = (icon: IconName, label: string, act: () => unknown, isOff = false) => (
    <button
      type="button"
      class="button is-bare is-sign"
      title={label}
      aria-label={label}
      disabled={isOff}
      onClick={() => void act()}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="chart-bar">
      <Switch
        label={say.ranges.label!}
        value={shown}
        options={RANGES.map((range) => [range, say.ranges[range]!])}
        onChange={(range) => change({ range: rangeOf(range)! })}
      />
      <FromTo key={shown} explorer={explorer} />
      {model && stepBy && (
        <div class="chart-steps">
          {tool('left', say.earlier, () => stepBy(-1), state.range.kind === 'all')}
          {tool('right', say.later, () => stepBy(1), state.range.kind === 'all')}
          {tool('minus', say.zoomOut, () => model.press('-'), state.range.kind === 'all')}
          {tool('plus', say.zoomIn, () => model.press('+'))}
          {tool('undo', say.back, explorer.back, history.past.length === 0)}
          {tool('redo', say.forward, explorer.forward, history.future.length === 0)}
        </div>
      )}
      {model && <ToData node={node} model={model} explorer={explorer} />}
    </div>
  );
}

/** Asks for two dates in the person's zone. */
function FromTo({ explorer }: { readonly explorer: Explorer }) {
  const { node: say } = words.value;
  const { zone, short } = times();
  const { range } = explorer.state;
  const local = (ms: number) => inputTime(ms + zone.offsetMs(ms)).slice(0, 16);
  const [from, setFrom] = useState(range.kind === 'fixed' ? local(range.start) : '');
  const [to, setTo] = useState(range.kind === 'fixed' ? local(range.end) : '');
  const [start, end] = [from, to].map((text) => {
    const clock = Date.parse(`${text}Z`);
    return Number.isNaN(clock) ? clock : zone.instant(clock);
  });
  const isRange = start! < end!;
  const label =
    range.kind === 'fixed'
      ? `${short(range.start, nowMs.peek())} – ${short(range.end, nowMs.peek())}`
      : `${say.from} – ${say.to}`;
  return (
    <Popover
      label={`${say.ranges.label}: ${label}`}
      class="chart-dates"
      button={
        <>
          <Icon name="clock" />
          <span>{label}</span>
        </>
      }
    >
      {(close) => (
        <form
          class="form popover-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isRange) return;
            close();
            explorer.change({ range: { kind: 'fixed', start: start!, end: end! } });
          }}
        >
          <label>
            <span>{say.from}</span>
            <input type="datetime-local" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
          </label>
          <label>
            <span>{say.to}</span>
            <input type="datetime-local" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
          </label>
          <button type="submit" class="button is-main" disabled={!isRange}>
            {say.show}
          </button>
        </form>
      )}
    </Popover>
  );
}

/** Lays what the chart was like some time earlier over what it is. */
export function ShiftChoice({ explorer }: { readonly explorer: Explorer }) {
  const { node: say } = words.value;
  const { state, change } = explorer;
  const shown = state.shift ? shiftText(state.shift) : '';
  const isUsual = SHIFTS.some((shift) => shift === shown);
  const [isOwn, setOwn] = useState(false);
  const [text, setText] = useState('');
  return (
    <span class="chart-shift">
      <label class="tool">
        <span>{say.shift}</span>
        <select
          value={isOwn ? 'own' : shown}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setOwn(chosen === 'own');
            if (chosen !== 'own') change({ shift: shiftOf(chosen) });
          }}
        >
          {SHIFTS.map((shift) => (
            <option key={shift} value={shift}>
              {say.shifts[shift]}
            </option>
          ))}
          {!isUsual && state.shift && <option value={shown}>{shiftWords(state.shift)}</option>}
          <option value="own">{say.otherShift}</option>
        </select>
      </label>
      {isOwn && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const shift = shiftOf(text);
            if (!shift) return;
            setOwn(false);
            change({ shift });
          }}
        >
          <input
            type="text"
            class="field is-short"
            value={text}
            size={6}
            placeholder="5Y"
            aria-label={say.shiftHint}
            title={say.shiftHint}
            aria-invalid={text !== '' && !shiftOf(text)}
            autofocus
            onInput={(event) => setText(event.currentTarget.value)}
          />
          {text !== '' && !shiftOf(text) && <span class="soft">{say.shiftWrong}</span>}
        </form>
      )}
    </span>
  );
}

const DAY = 86_400_000;

/** Leads to the last records where the time that is shown has none. */
function ToData({ node, model, explorer }: Required<Pick<BarProps, 'node' | 'model' | 'explorer'>>) {
  const { node: say } = words.value;
  const window = model.window.value;
  const lastMs = Date.parse(String(node.currentTime));
  if (!window || lastMs >= window.start || !Number.isFinite(lastMs)) return null;
  const span = window.end - window.start;
  return (
    <button
      type="button"
      class="button is-quiet"
      onClick={() =>
        explorer.change({ range: { kind: 'fixed', start: lastMs - span, end: lastMs + Math.min(span * 0.02, DAY) } })
      }
    >
      {say.toData(times().short(lastMs, nowMs.peek()))}
    </button>
  );
}

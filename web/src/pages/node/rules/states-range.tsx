import { useMemo, useState } from 'preact/hooks';
import type { Node } from '../../../data/nodes/nodes.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { times } from '../../../data/times.ts';
import { words } from '../../../words/index.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const RANGES = { 'NOW-1D': DAY, 'NOW-7D': 7 * DAY, 'NOW-30D': 30 * DAY, 'NOW-1Y': 365 * DAY } as const;
type RangeName = keyof typeof RANGES;

type StatesRange = ReturnType<typeof useStatesRange>;

/** Holds the time whose records are counted: up to now, or up to the newest record. */
export function useStatesRange(node: Node) {
  const [name, choose] = useState<RangeName>('NOW-7D');
  const [isAtData, setAtData] = useState(false);
  const now = Math.ceil(nowMs.value / MINUTE) * MINUTE;
  const newestMs = Date.parse(String(node.currentTime ?? ''));
  const end = isAtData && Number.isFinite(newestMs) ? newestMs + MINUTE : now;
  const window = useMemo(() => ({ start: end - RANGES[name], end }), [name, end]);
  return {
    name,
    choose,
    window,
    /** The newest record is given where it lies before all of this time. */
    newestMs: !isAtData && newestMs < window.start ? newestMs : undefined,
    toData: () => setAtData(true),
  };
}

type RangeChoiceProps = {
  readonly range: StatesRange;
  readonly isEmpty: boolean;
  readonly onChoose: (name: RangeName) => void;
};

/** Chooses the time whose records are counted. */
export function RangeChoice({ range, isEmpty, onChoose }: RangeChoiceProps) {
  const { node: say } = words.value;
  return (
    <div class="rule-range">
      <fieldset class="rule-ranges">
        <legend class="unseen">{say.ranges.label}</legend>
        {(Object.keys(RANGES) as RangeName[]).map((name) => (
          <button
            key={name}
            type="button"
            class="button is-quiet"
            aria-pressed={name === range.name}
            onClick={() => onChoose(name)}
          >
            {say.ranges[name]}
          </button>
        ))}
      </fieldset>
      {isEmpty && range.newestMs !== undefined && (
        <button type="button" class="button is-quiet" onClick={range.toData}>
          {say.toData(times().whole(range.newestMs))}
        </button>
      )}
    </div>
  );
}

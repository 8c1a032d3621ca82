import { paletteColor } from '@catchment/dashboard-view';
import { useRef } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import { heldIn, sharesOf, stretchesOf } from '../../../charts/lanes.ts';
import { windowOf } from '../../../charts/ranges.ts';
import { LINES, readableOn } from '../../../charts/readable-color.ts';
import { scheme } from '../../../components/scheme.ts';
import { useSize } from '../../../components/use-size.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { MOST_CHANGES, type Row, readChanges, readInside } from '../../../data/records/records.ts';
import { isForbidden } from '../../../data/requests/failures.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { localeOf, times } from '../../../data/times.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { durationText } from '../duration.ts';
import { ChartBar } from './bar.tsx';
import { useExplorer } from './use-explorer.ts';

const REST_MS = 200;
/** Lanes stand on these in either scheme. */
const [LIGHT, DARK] = ['#ffffff', '#13242a'];
/** This many texts have a colour of their own. */
const MOST_COLORS = 9;
const MINUTE = 60_000;

/** Shows the history of texts as a lane of what held when, and of times as points. */
export function Lanes({ node }: { readonly node: Node }) {
  const { node: say, ui } = words.value;
  const explorer = useExplorer(node);
  const now = Math.floor(nowMs.value / MINUTE) * MINUTE + MINUTE;
  const [oldestMs, newestMs] = [Date.parse(String(node.oldestTime)), Date.parse(String(node.currentTime))];
  const window = windowOf(explorer.state.range, now) ?? {
    start: oldestMs || newestMs - 1,
    end: Math.max(now, newestMs),
  };
  const isText = node._class.includes('.Text');
  const { value, error, isLoading, again } = useAsked(
    (signal) => (isText ? readChanges(node._id, window, signal) : readInside(node._id, window, MOST_CHANGES, signal)),
    [node._id, window.start, window.end, node.currentTime],
  );
  return (
    <div class="explorer">
      <ChartBar explorer={explorer} node={node} />
      {error !== undefined && (
        <Problem
          text={isForbidden(error) ? say.recordsRefused : `${say.chartFailed} ${errorText(error)}`}
          again={isForbidden(error) ? undefined : again}
          againText={ui.again}
        />
      )}
      {value && value.length >= MOST_CHANGES && <p class="soft">{say.lanesCut(MOST_CHANGES)}</p>}
      {value &&
        (isText ? (
          <TextLane name={node.name} records={value} window={window} newestMs={Math.min(now, window.end)} />
        ) : (
          <TimePoints name={node.name} records={value} window={window} />
        ))}
      {isLoading && <Busy text={say.chartLoading} />}
    </div>
  );
}

type LaneProps = { readonly name: string; readonly records: readonly Row[]; readonly window: Window };

function TextLane({ name, records, window, newestMs }: LaneProps & { readonly newestMs: number }) {
  const { node: say } = words.value;
  const { whole } = times();
  const lane = useRef<HTMLDivElement>(null);
  const size = useSize(lane, REST_MS);
  const held = heldIn(
    records.map(({ ms, value }) => ({ ms, text: value === null ? null : String(value) })),
    window,
    newestMs,
  );
  const shares = sharesOf(held);
  const ground = scheme.value === 'dark' ? DARK : LIGHT;
  const colors = new Map(
    shares.slice(0, MOST_COLORS).map(({ text }, i) => [text, readableOn(paletteColor(i), ground, LINES)]),
  );
  const span = window.end - window.start;
  const stretches = stretchesOf(held, (2 * span) / Math.max(size?.width ?? 800, 100));
  const place = (ms: number) => `${((ms - window.start) / span) * 100}%`;
  return (
    <>
      <div ref={lane} class="lane" role="img" aria-label={say.chartText(name, whole(window.start), whole(window.end))}>
        {stretches.map(({ start, end, text, count }) => (
          <span
            key={start}
            class={text === undefined ? 'lane-part is-mixed' : 'lane-part'}
            style={{
              left: place(start),
              width: `${((end - start) / span) * 100}%`,
              '--part': (text !== undefined && colors.get(text)) || 'var(--soft)',
            }}
            title={`${text ?? say.changesHere(count)}\n${whole(start)} – ${whole(end)} (${durationText(end - start, localeOf(language.value))})`}
          >
            <bdi>{text}</bdi>
          </span>
        ))}
        {held.length === 0 && <span class="nothing">{say.noRecords}</span>}
      </div>
      <LaneTimes window={window} />
      {shares.length > 0 && (
        <table class="lane-shares">
          <caption class="unseen">{say.chartText(name, whole(window.start), whole(window.end))}</caption>
          <thead>
            <tr>
              <th scope="col">{say.value}</th>
              <th scope="col">{say.heldFor}</th>
              <th scope="col">{say.share}</th>
              <th scope="col">{say.howOften}</th>
            </tr>
          </thead>
          <tbody>
            {shares.slice(0, MOST_SHARES).map(({ text, ms, count }) => (
              <tr key={text}>
                <th scope="row">
                  <span class="lane-color" style={{ '--part': colors.get(text) ?? 'var(--soft)' }} />
                  <bdi>{text}</bdi>
                </th>
                <td class="number">{durationText(ms, localeOf(language.value))}</td>
                <td class="number">{`${((100 * ms) / span).toLocaleString(localeOf(language.value), { maximumFractionDigits: 1 })} %`}</td>
                <td class="number">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {shares.length > MOST_SHARES && <p class="soft">{say.otherTexts(shares.length - MOST_SHARES)}</p>}
    </>
  );
}

const MOST_SHARES = 12;
const POINT_HEIGHT = 260;

/** Plots times by the time of their records. */
function TimePoints({ name, records, window }: LaneProps) {
  const { node: say } = words.value;
  const { whole } = times();
  const points = records.flatMap(({ ms, value }) => {
    const given = (value as { $time?: string } | string | null) ?? '';
    const at = Date.parse(typeof given === 'string' ? given : (given.$time ?? ''));
    return Number.isFinite(at) && ms >= window.start && ms <= window.end ? [{ ms, at }] : [];
  });
  const values = points.map(({ at }) => at);
  const [low, high] = [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  const y = (at: number) => POINT_HEIGHT - 12 - ((at - low) / (high - low || 1)) * (POINT_HEIGHT - 24);
  return (
    <>
      <div class="time-points">
        {points.length > 0 && (
          <>
            <span>{whole(high)}</span>
            <span>{whole(low)}</span>
          </>
        )}
        <svg height={POINT_HEIGHT} role="img" aria-label={say.chartText(name, whole(window.start), whole(window.end))}>
          {points.map(({ ms, at }) => (
            <circle
              key={ms}
              cx={`${(((ms - window.start) / (window.end - window.start)) * 100).toFixed(3)}%`}
              cy={y(at)}
              r={3.5}
            >
              <title>{say.timeOf(whole(ms), whole(at))}</title>
            </circle>
          ))}
        </svg>
        {points.length === 0 && <span class="nothing">{say.noRecords}</span>}
      </div>
      <LaneTimes window={window} />
      {points.length > 0 && <p class="soft">{say.timesShown(points.length, whole(low), whole(high))}</p>}
    </>
  );
}

const MARKS = 5;

/** Shows when a lane begins and ends, and marks between. */
function LaneTimes({ window: { start, end } }: { readonly window: Window }) {
  const { short } = times();
  return (
    <p class="lane-times" aria-hidden="true">
      {Array.from({ length: MARKS }, (_, i) => (
        <span key={i}>{short(start + ((end - start) * i) / (MARKS - 1), nowMs.peek())}</span>
      ))}
    </p>
  );
}

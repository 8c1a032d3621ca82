import { useRef, useState } from 'preact/hooks';
import { localeOf } from '../../../data/times.ts';
import { language } from '../../../words/index.ts';
import { niceStep, rounded } from '../rules/steps.ts';
import { type FormEntry, type FormRow, isTable, movedTo, pointsOf, resultOf } from './curve.ts';
import { say } from './words.ts';

const [WIDTH, HEIGHT] = [640, 360];
const ROOM = { left: 64, right: 16, top: 14, bottom: 34 } as const;
/** A pointer does not distinguish more points. */
const MOST_HANDLES = 200;
const TICKS = 5;
const KEY_STEPS = 200;
/** A polynomial is drawn by this many of its values. */
const VALUES = 120;

type CurveChartProps = {
  readonly entry: FormEntry;
  /** The last records have this least and greatest input: a polynomial is drawn over these. */
  readonly reach: readonly [number, number] | undefined;
  readonly units: { readonly input: string; readonly result: string };
  readonly isReadOnly: boolean;
  readonly active: number | undefined;
  readonly onActive: (index: number) => void;
  readonly onRows: (rows: readonly FormRow[]) => void;
};

type Scale = {
  readonly low: number;
  readonly high: number;
  readonly at: (value: number) => number;
  readonly value: (at: number) => number;
};

function scaleOf(values: readonly number[], from: number, to: number, isLog: boolean): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = isLog ? 0 : (most - least) * 0.06 || Math.abs(most) * 0.1 || 1;
  const [low, high] = isLog ? [least, most === least ? least * 10 : most] : [least - margin, most + margin];
  const [f, g] = isLog ? [Math.log10, (x: number) => 10 ** x] : [(x: number) => x, (x: number) => x];
  const span = f(high) - f(low);
  return {
    low,
    high,
    at: (value) => from + ((f(value) - f(low)) / span) * (to - from),
    value: (at) => g(f(low) + ((at - from) / (to - from)) * span),
  };
}

/** Shows a rating as a curve; the points of a table are moved by mouse, finger and keys. */
export function CurveChart({ entry, reach, units, isReadOnly, active, onActive, onRows }: CurveChartProps) {
  const texts = say();
  const picture = useRef<SVGSVGElement>(null);
  const [isLogWanted, setLog] = useState(false);
  const [frozen, setFrozen] = useState<{ readonly x: Scale; readonly y: Scale }>();
  const rows = entry.table ?? [];
  const points = isTable(entry) ? pointsOf(rows) : [];
  const drawn = isTable(entry) ? points : valuesOf(entry, reach);
  const numbers = new Intl.NumberFormat(localeOf(language.value), { maximumSignificantDigits: 5 });
  if (drawn.length === 0) return null;
  const mayLog = drawn.every(({ input, result }) => input > 0 && result > 0);
  const isLog = isLogWanted && mayLog;
  const x =
    frozen?.x ??
    scaleOf(
      drawn.map(({ input }) => input),
      ROOM.left,
      WIDTH - ROOM.right,
      isLog,
    );
  const y =
    frozen?.y ??
    scaleOf(
      drawn.map(({ result }) => result),
      HEIGHT - ROOM.bottom,
      ROOM.top,
      isLog,
    );
  const steps = { x: niceStep((x.high - x.low) / KEY_STEPS), y: niceStep((y.high - y.low) / KEY_STEPS) };
  const isFew = points.length <= MOST_HANDLES;
  const activeIndex = points.find(({ index }) => index === active)?.index ?? points[0]?.index;
  const move = (index: number, input: number, result: number) =>
    onRows(movedTo(rows, index, { input: rounded(input, steps.x), result: rounded(result, steps.y) }, steps.x));
  const under = (event: PointerEvent) => {
    const box = picture.current!.getBoundingClientRect();
    return {
      input: x.value(((event.clientX - box.left) / box.width) * WIDTH),
      result: y.value(((event.clientY - box.top) / box.height) * HEIGHT),
    };
  };
  const drag = (index: number) => (event: PointerEvent) => {
    onActive(index);
    if (isReadOnly || event.button !== 0) return;
    // The axes stand still while a point is moved: what is under the pointer must not run away.
    setFrozen({ x, y });
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const onKey = (index: number) => (event: KeyboardEvent) => {
    const at = points.findIndex((point) => point.index === index);
    const { input, result } = points[at]!;
    const times = event.shiftKey ? 10 : 1;
    const go = (to: number) => {
      const next = points[Math.min(Math.max(to, 0), points.length - 1)]!;
      onActive(next.index);
      document.getElementById(`rating-point-${next.index}`)?.focus();
    };
    const keys: Readonly<Record<string, () => void>> = {
      PageUp: () => go(at + 1),
      PageDown: () => go(at - 1),
      Home: () => go(0),
      End: () => go(points.length - 1),
      ...(!isReadOnly && {
        ArrowUp: () => move(index, input, result + times * steps.y),
        ArrowDown: () => move(index, input, result - times * steps.y),
        ArrowRight: () => move(index, input + times * steps.x, result),
        ArrowLeft: () => move(index, input - times * steps.x, result),
        Delete: () => {
          onRows(rows.filter((_, i) => i !== index));
          // The next row takes the place of this one, and the last one is no more.
          const next = Math.min(index, rows.length - 2);
          onActive(next);
          document.getElementById(`rating-point-${next}`)?.focus();
        },
      }),
    };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <fieldset class="rating-curve" aria-label={texts.chart}>
      <svg ref={picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="presentation">
        <Axis scale={y} isLog={isLog} isUpright textOf={numbers.format} />
        <Axis scale={x} isLog={isLog} textOf={numbers.format} />
        <text class="rating-unit" x={WIDTH - ROOM.right} y={HEIGHT - 4} text-anchor="end">
          {texts.inputHead} {units.input}
        </text>
        <text class="rating-unit" x={4} y={ROOM.top - 2}>
          {texts.resultHead} {units.result}
        </text>
        <polyline
          class="rating-line"
          points={drawn.map((point) => `${x.at(point.input)},${y.at(point.result)}`).join(' ')}
        />
        {isFew &&
          points.map(({ input, result, index }) => (
            <circle
              key={index}
              id={`rating-point-${index}`}
              class={index === activeIndex ? 'rating-point is-active' : 'rating-point'}
              cx={x.at(input)}
              cy={y.at(result)}
              r={7}
              role="slider"
              tabIndex={index === activeIndex ? 0 : -1}
              aria-label={texts.pointLabel(index + 1)}
              aria-valuenow={result}
              aria-valuetext={texts.point(
                index + 1,
                `${numbers.format(input)} ${units.input}`,
                `${numbers.format(result)} ${units.result}`,
              )}
              aria-readonly={isReadOnly || undefined}
              onFocus={() => onActive(index)}
              onKeyDown={onKey(index)}
              onPointerDown={drag(index)}
              onPointerMove={(event) => {
                if (!frozen) return;
                const to = under(event);
                move(index, to.input, to.result);
              }}
              onPointerUp={() => setFrozen(undefined)}
              onPointerCancel={() => setFrozen(undefined)}
            />
          ))}
      </svg>
      {isTable(entry) && !isReadOnly && <p class="editor-hint">{isFew ? texts.chartHint : texts.tooMany}</p>}
      {mayLog && (
        <label class="check">
          <input type="checkbox" checked={isLog} onChange={(event) => setLog(event.currentTarget.checked)} />
          <span>{texts.logarithmic}</span>
        </label>
      )}
    </fieldset>
  );
}

function valuesOf(entry: FormEntry, [low, high]: readonly [number, number] = [0, 1]) {
  const span = high - low || 1;
  return Array.from({ length: VALUES + 1 }, (_, i) => {
    const input = low + (i / VALUES) * span;
    return { input, result: resultOf(entry, input) };
  }).filter(({ result }) => Number.isFinite(result));
}

type AxisProps = {
  readonly scale: Scale;
  readonly isLog: boolean;
  readonly isUpright?: boolean;
  readonly textOf: (value: number) => string;
};

function Axis({ scale, isLog, isUpright = false, textOf }: AxisProps) {
  const { low, high, at, value } = scale;
  const ticks = isLog
    ? Array.from({ length: TICKS + 1 }, (_, i) => value(at(low) + (i / TICKS) * (at(high) - at(low))))
    : linearTicks(low, high);
  return (
    <g class="rating-axis">
      {ticks.map((tick) =>
        isUpright ? (
          <g key={tick}>
            <line x1={ROOM.left} x2={WIDTH - ROOM.right} y1={at(tick)} y2={at(tick)} />
            <text x={ROOM.left - 6} y={at(tick) + 4} text-anchor="end">
              {textOf(tick)}
            </text>
          </g>
        ) : (
          <g key={tick}>
            <line x1={at(tick)} x2={at(tick)} y1={ROOM.top} y2={HEIGHT - ROOM.bottom} />
            <text x={at(tick)} y={HEIGHT - ROOM.bottom + 15} text-anchor="middle">
              {textOf(tick)}
            </text>
          </g>
        ),
      )}
    </g>
  );
}

function linearTicks(low: number, high: number): readonly number[] {
  const step = niceStep((high - low) / TICKS);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) =>
    rounded((first + i) * step, step),
  );
}

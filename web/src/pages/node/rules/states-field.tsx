import { useMemo, useState } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { type Qualities, qualities } from '../../../data/records/quality.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { localeOf, times } from '../../../data/times.ts';
import { countText, decimalText, withUnits } from '../../../format/numbers.ts';
import { isDrawable } from '../../../parts/chart/series.ts';
import { Button } from '../../../ui/button.tsx';
import { type Field, FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { Icon } from '../../../ui/icon.tsx';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { durationText } from '../duration.ts';
import { ThresholdChart } from './chart.tsx';
import { added, type FormState, firstStates, isNormal, MOST_STATES, readingOrder, sideOf, statesOf } from './list.ts';
import { disorderOf, type Placed } from './order.ts';
import { MOST_READINGS, readReadings } from './readings.ts';
import { configOf, type Visits, visitsOf } from './visits.ts';
import { say } from './words.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const RANGES = { 'NOW-1D': DAY, 'NOW-7D': 7 * DAY, 'NOW-30D': 30 * DAY, 'NOW-1Y': 365 * DAY } as const;
type RangeName = keyof typeof RANGES;

/** Asks for ranges or single values: another choice begins with other states. */
export function KindField({ value, path }: FieldProps) {
  const { isReadOnly, change, base } = useForm();
  const { kinds, kindsLabel, kindChanges } = say();
  const choose = (kind: string) => {
    change('statesType', kind);
    change('states', kind === base.statesType ? base.states : firstStates(kind));
  };
  return (
    <fieldset class="rule-kinds">
      <legend class="unseen">{kindsLabel}</legend>
      {Object.entries(kinds).map(([kind, text]) => (
        <label key={kind} class="check">
          <input
            type="radio"
            name="statesType"
            disabled={isReadOnly}
            checked={value === kind}
            onChange={() => choose(kind)}
          />
          <span>{text}</span>
        </label>
      ))}
      {value !== base.statesType && <p class="editor-hint">{kindChanges}</p>}
      <FieldProblem path={path} />
    </fieldset>
  );
}

/** States in the chart, where their thresholds are moved, and below each with all that it has. */
export function StatesField({ field, path, value, onChange, node }: FieldProps & { readonly node: Node }) {
  const { isReadOnly, document, base } = useForm();
  const texts = say();
  const typed = statesOf(value);
  const [moved, setMoved] = useState<{ readonly index: number; readonly threshold: number }>();
  const [stop, setStop] = useState<{ readonly index: number; readonly placed: Placed }>();
  const [range, setRange] = useState<RangeName>('NOW-7D');
  const [isAtData, setAtData] = useState(false);
  const [shown, setShown] = useState<Window>();
  const [axis, setAxis] = useState<{ readonly low: number; readonly high: number; readonly step: number }>();
  const states = moved ? typed.with(moved.index, { ...typed[moved.index]!, threshold: moved.threshold }) : typed;
  const { statesType, hysteresis } = document;
  const isNumber = isDrawable(node);
  const now = Math.ceil(nowMs.value / MINUTE) * MINUTE;
  const newestMs = Date.parse(String(node.currentTime ?? ''));
  const end = isAtData && Number.isFinite(newestMs) ? newestMs + MINUTE : now;
  const window = useMemo(() => ({ start: end - RANGES[range], end }), [range, end]);
  const counted = shown ?? window;
  const units = typeof node.units === 'string' ? node.units : '';
  const text = (threshold: unknown) =>
    typeof threshold === 'number' ? withUnits(decimalText(threshold, null), units) : String(threshold ?? '');

  const read = useAsked(
    (signal) => readReadings(node._id, window, !isNumber, signal),
    // A new record is one more to count.
    [node._id, window.start, window.end, node.currentTime],
  );
  const from = Math.max(counted.start, read.value?.cutAt ?? 0);
  const count = (list: readonly FormState[], type: unknown, slack: unknown) =>
    read.value &&
    visitsOf(read.value.rule, configOf(list, type, slack), read.value.readings, { from, to: counted.end });
  const visits = useMemo(
    () => count(states, statesType, hysteresis),
    [read.value, JSON.stringify(states), statesType, hysteresis, from, counted.end],
  );
  const before = useMemo(
    () => count(statesOf(base.states), base.statesType, base.hysteresis),
    [read.value, base, from, counted.end],
  );
  const known = useAsked(() => qualities(), []).value;

  const put = (index: number, state: FormState) => onChange(typed.with(index, state));
  const place = (index: number, at: Placed, isDone: boolean) => {
    setStop(at.stop ? { index, placed: at } : undefined);
    if (!isDone) return setMoved({ index, threshold: at.threshold });
    setMoved(undefined);
    put(index, { ...typed[index]!, threshold: at.threshold });
  };
  const add = (side: -1 | 1) => {
    setStop(undefined);
    onChange(added(typed, statesType, side, axis, axis?.step ?? 1));
  };
  const remove = (index: number) => {
    setStop(undefined);
    onChange(typed.filter((_, i) => i !== index));
  };
  const item = field.shape.kind === 'list' ? field.shape.item : undefined;
  const fields = item?.shape.kind === 'object' ? item.shape.fields : [];
  const blocked = stop?.placed.stop;
  const isRange = statesType === 'RANGE';
  return (
    <>
      <div class="rule-range">
        <fieldset class="rule-ranges">
          <legend class="unseen">{words.value.node.ranges.label}</legend>
          {(Object.keys(RANGES) as RangeName[]).map((name) => (
            <button
              key={name}
              type="button"
              class="button is-quiet"
              aria-pressed={name === range}
              onClick={() => {
                setRange(name);
                setShown(undefined);
              }}
            >
              {words.value.node.ranges[name]}
            </button>
          ))}
        </fieldset>
        {!isAtData && read.value?.count === 0 && Number.isFinite(newestMs) && newestMs < window.start && (
          <button type="button" class="button is-quiet" onClick={() => setAtData(true)}>
            {words.value.node.toData(times().whole(newestMs))}
          </button>
        )}
      </div>
      {isNumber && (
        <ThresholdChart
          node={node}
          states={states}
          statesType={statesType}
          window={window}
          isReadOnly={isReadOnly}
          textOf={text}
          onPlace={place}
          onShown={setShown}
          onAxis={setAxis}
        />
      )}
      <p class="rule-stop" role="status" aria-live="polite">
        {blocked &&
          stop &&
          texts.stops[blocked.side](
            String(typed[stop.index]?.name ?? ''),
            text(stop.placed.threshold),
            blocked.neighbour.name,
            text(blocked.neighbour.threshold),
          )}
      </p>
      {isNumber && !isReadOnly && typed.some(({ threshold }) => typeof threshold === 'number') && (
        <p class="editor-hint">{texts.dragHint}</p>
      )}
      <CountLine
        from={from}
        window={counted}
        count={read.value && shown === undefined ? read.value.count : readingsIn(read.value?.readings, counted)}
        cutAt={read.value?.cutAt}
        error={read.error}
      />
      {typed.length === 0 && <p class="soft">{texts.noStates}</p>}
      <ol class="rule-states">
        {readingOrder(states, statesType).map((index) => (
          <StateCard
            key={String(typed[index]?._id ?? `new ${typed.length} ${index}`)}
            state={states[index]!}
            index={index}
            path={`${path}[${index}]`}
            side={sideOf(states, statesType, index)}
            isNormal={isNormal(states[index]!, statesType)}
            fields={fields}
            visits={visits?.[index]}
            before={visitsBefore(before, statesOf(base.states), typed[index]!)}
            disorder={disorderOf(states, statesType, index)}
            textOf={text}
            known={known}
            onChange={(next) => {
              setStop(undefined);
              put(index, next);
            }}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <FieldProblem path={path} />
      {!isReadOnly && typed.length < MOST_STATES && (
        <div class="editor-buttons">
          <Button icon="plus" onClick={() => add(1)}>
            {isRange ? texts.addHigh : texts.add}
          </Button>
          {isRange && (
            <Button icon="plus" onClick={() => add(-1)}>
              {texts.addLow}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

const readingsIn = (readings: readonly { readonly ms: number }[] | undefined, { start, end }: Window) =>
  readings?.filter(({ ms }) => ms >= start && ms <= end).length;

/** Finds what the settings that hold would have counted of the same state. */
function visitsBefore(
  visits: readonly Visits[] | undefined,
  states: readonly FormState[],
  state: FormState,
): Visits | undefined {
  const place = states.findIndex(({ _id, name }) =>
    state._id === undefined ? name === state.name : _id === state._id,
  );
  return visits?.[place];
}

type CountLineProps = {
  readonly from: number;
  readonly window: Window;
  readonly count: number | undefined;
  readonly cutAt: number | undefined;
  readonly error: unknown;
};

/** Says over what time, and how many records, states are counted. */
function CountLine({ from, window, count, cutAt, error }: CountLineProps) {
  const { countsOf, countsCut, countsNone, countFailed, counting } = say();
  const { short } = times();
  const at = (ms: number) => short(ms, nowMs.peek());
  if (error !== undefined) return <p class="editor-problem">{`${countFailed} ${errorText(error)}`}</p>;
  if (count === undefined) return <p class="editor-hint">{counting} …</p>;
  return (
    <p class="editor-hint">
      {count === 0 ? countsNone : countsOf(at(from), at(window.end), count)}
      {cutAt !== undefined && ` ${countsCut(at(cutAt), countText(MOST_READINGS))}`}
    </p>
  );
}

type StateCardProps = {
  readonly state: FormState;
  readonly index: number;
  readonly path: string;
  readonly side: -1 | 0 | 1;
  readonly isNormal: boolean;
  readonly fields: readonly Field[];
  readonly visits: Visits | undefined;
  readonly before: Visits | undefined;
  readonly disorder: Placed['stop'];
  readonly textOf: (threshold: unknown) => string;
  readonly known: Qualities | undefined;
  readonly onChange: (state: FormState) => void;
  readonly onRemove: () => void;
};

const FIRST = ['name', 'threshold', 'occurrences', 'isAlarm'];

function StateCard(props: StateCardProps) {
  const { state, path, side, fields, visits, before, disorder, textOf, known, onChange } = props;
  const { show, isShown, isReadOnly, problemOf } = useForm();
  const texts = say();
  const name = String(state.name ?? '');
  const isPart = (field: Field) => isShown(`${path}.${field.name}`, state);
  const isOpen = fields.some(
    (field) => !FIRST.includes(field.name) && problemOf(`${path}.${field.name}`) !== undefined,
  );
  const fieldOf = (field: Field) => (
    <div key={field.name} class={`rule-field is-${field.name}`}>
      {show({
        field: fieldFor(field, props.isNormal),
        path: `${path}.${field.name}`,
        value: state[field.name],
        onChange: (next) => onChange({ ...state, [field.name]: next }),
      })}
      {field.name === 'threshold' && disorder && (
        <p class="editor-problem" role="alert">
          {texts.disorder[disorder.side](disorder.neighbour.name, textOf(disorder.neighbour.threshold))}
        </p>
      )}
      {field.name === 'qualityCode' && typeof state.qualityCode === 'number' && known && (
        <p class="editor-hint">{known.of(state.qualityCode).name}</p>
      )}
    </div>
  );
  return (
    <li class={`rule-card rule-state ${toneOf(state, side)}`}>
      <div class="rule-head">
        <h3>
          <span class="rule-swatch" aria-hidden="true" />
          <bdi>{name === '' ? '–' : name}</bdi>
          {!props.isNormal && state.threshold !== null && state.threshold !== undefined && (
            <span class="rule-at">{`${side > 0 ? '≥ ' : side < 0 ? '≤ ' : '= '}${textOf(state.threshold)}`}</span>
          )}
          {state.isAlarm === true && (
            <span class="rule-alarm">
              <Icon name="bell" /> {texts.raises}
            </span>
          )}
        </h3>
        <CountText visits={visits} before={before} />
        {!isReadOnly && !props.isNormal && (
          <Button
            icon="trash"
            look="bare"
            aria-label={texts.remove(name)}
            title={texts.remove(name)}
            onClick={props.onRemove}
          />
        )}
      </div>
      {props.isNormal ? (
        <p class="editor-hint">{texts.normal}</p>
      ) : (
        <div class="rule-fields is-first">
          {FIRST.flatMap((wanted) => fields.filter((field) => field.name === wanted))
            .filter(isPart)
            .map(fieldOf)}
        </div>
      )}
      <details class="rule-more" open={isOpen || undefined}>
        <summary>{texts.more}</summary>
        <div class="rule-fields">
          {fields.filter((field) => !FIRST.includes(field.name) && isPart(field)).map(fieldOf)}
        </div>
      </details>
    </li>
  );
}

/** NORMAL notifies always or never; what the API says of thresholds is of other classes, too. */
function fieldFor(field: Field, isOfNormal: boolean): Field {
  if (field.name === 'threshold') return { ...field, hint: '' };
  if (!isOfNormal || field.name !== 'notify' || field.shape.kind !== 'choice') return field;
  return { ...field, shape: { ...field.shape, choices: ['NEVER', 'ALWAYS'] } };
}

const toneOf = ({ isAlarm }: FormState, side: -1 | 0 | 1): string =>
  isAlarm === true ? 'is-alarm' : side === 0 ? 'is-plain' : 'is-beyond';

/** Says how often it would be entered, and how often it is by the settings that hold. */
function CountText({ visits, before }: { readonly visits: Visits | undefined; readonly before: Visits | undefined }) {
  const { entered, before: now, lasted, lastAt, counting } = say();
  if (!visits) return <span class="rule-count soft">{counting} …</span>;
  const isOther = before !== undefined && before.entries !== visits.entries;
  const last = visits.lastMs === undefined ? undefined : times().short(visits.lastMs, nowMs.peek());
  return (
    <span class={isOther ? 'rule-count is-other' : 'rule-count'}>
      <strong>{entered(visits.entries)}</strong>
      {isOther && ` (${now(before.entries)})`}
      {visits.ms > 0 && `, ${lasted(durationText(visits.ms, localeOf(language.value)))}`}
      {last !== undefined && `, ${lastAt(last)}`}
    </span>
  );
}

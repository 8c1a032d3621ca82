import { useState } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { qualities } from '../../../data/records/quality.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { times } from '../../../data/times.ts';
import { countText, decimalText, withUnits } from '../../../format/numbers.ts';
import { isDrawable } from '../../../parts/chart/series.ts';
import { Button } from '../../../ui/button.tsx';
import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { errorText } from '../../../words/error-text.ts';
import { ThresholdChart } from './chart.tsx';
import { added, type FormState, isNormal, MOST_STATES, readingOrder, sideOf, statesOf } from './list.ts';
import { disorderOf, type Placed } from './order.ts';
import { MOST_READINGS } from './readings.ts';
import { StateCard } from './state-card.tsx';
import { RangeChoice, useStatesRange } from './states-range.tsx';
import { useVisits } from './use-visits.ts';
import type { Visits } from './visits.ts';
import { say } from './words.ts';

/** Shows states in the chart, where their thresholds are moved, and below each with all that it has. */
export function StatesField({ field, path, value, onChange, node }: FieldProps & { readonly node: Node }) {
  const { isReadOnly, document, base } = useForm();
  const texts = say();
  const { statesType } = document;
  const { typed, states, stop, put, place, add, remove } = useStates(statesOf(value), statesType, onChange);
  const range = useStatesRange(node);
  const [shown, setShown] = useState<Window>();
  const [axis, setAxis] = useState<Axis>();
  const isNumber = isDrawable(node);
  const units = typeof node.units === 'string' ? node.units : '';
  const text = (threshold: unknown) =>
    typeof threshold === 'number' ? withUnits(decimalText(threshold, null), units) : String(threshold ?? '');
  const count = useVisits(node, range.window, shown, states);
  const known = useAsked(() => qualities(), []).value;
  const item = field.shape.kind === 'list' ? field.shape.item : undefined;
  const fields = item?.shape.kind === 'object' ? item.shape.fields : [];
  return (
    <>
      <RangeChoice
        range={range}
        isEmpty={count.read?.all === 0}
        onChoose={(name) => {
          range.choose(name);
          setShown(undefined);
        }}
      />
      {isNumber && (
        <ThresholdChart
          node={node}
          states={states}
          statesType={statesType}
          window={range.window}
          isReadOnly={isReadOnly}
          textOf={text}
          onPlace={place}
          onShown={setShown}
          onAxis={setAxis}
        />
      )}
      <p class="rule-stop" role="status" aria-live="polite">
        {stop && stopText(stop, String(typed[stop.index]?.name ?? ''), text)}
      </p>
      {isNumber && !isReadOnly && typed.some(({ threshold }) => typeof threshold === 'number') && (
        <p class="editor-hint">{texts.dragHint}</p>
      )}
      <CountLine {...count} />
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
            visits={count.visits?.[index]}
            before={visitsBefore(count.before, statesOf(base.states), typed[index]!)}
            disorder={disorderOf(states, statesType, index)}
            textOf={text}
            known={known}
            onChange={(next) => put(index, next)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <FieldProblem path={path} />
      {!isReadOnly && typed.length < MOST_STATES && (
        <div class="editor-buttons">
          <Button icon="plus" onClick={() => add(1, axis)}>
            {statesType === 'RANGE' ? texts.addHigh : texts.add}
          </Button>
          {statesType === 'RANGE' && (
            <Button icon="plus" onClick={() => add(-1, axis)}>
              {texts.addLow}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

type Axis = { readonly low: number; readonly high: number; readonly step: number };
type Stop = { readonly index: number; readonly placed: Placed };

/** Changes the states of a form, and holds the threshold that is being moved and what stopped it. */
function useStates(typed: readonly FormState[], statesType: unknown, onChange: (states: readonly FormState[]) => void) {
  const [moved, setMoved] = useState<{ readonly index: number; readonly threshold: number }>();
  const [stop, setStop] = useState<Stop>();
  const states = moved ? typed.with(moved.index, { ...typed[moved.index]!, threshold: moved.threshold }) : typed;
  return {
    typed,
    states,
    stop,
    put: (index: number, state: FormState) => {
      setStop(undefined);
      onChange(typed.with(index, state));
    },
    place: (index: number, at: Placed, isDone: boolean) => {
      setStop(at.stop ? { index, placed: at } : undefined);
      if (!isDone) return setMoved({ index, threshold: at.threshold });
      setMoved(undefined);
      onChange(typed.with(index, { ...typed[index]!, threshold: at.threshold }));
    },
    add: (side: -1 | 1, axis: Axis | undefined) => {
      setStop(undefined);
      onChange(added(typed, statesType, side, axis, axis?.step ?? 1));
    },
    remove: (index: number) => {
      setStop(undefined);
      onChange(typed.filter((_, i) => i !== index));
    },
  };
}

function stopText({ placed }: Stop, name: string, textOf: (threshold: unknown) => string): string | undefined {
  const { stop, threshold } = placed;
  return stop && say().stops[stop.side](name, textOf(threshold), stop.neighbour.name, textOf(stop.neighbour.threshold));
}

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

type CountLineProps = Pick<ReturnType<typeof useVisits>, 'from' | 'end' | 'read' | 'error'>;

/** Says over what time, and how many records, states are counted. */
function CountLine({ from, end, read, error }: CountLineProps) {
  const { countsOf, countsCut, countsNone, countFailed, counting } = say();
  const { short } = times();
  const at = (ms: number) => short(ms, nowMs.peek());
  if (error !== undefined) return <p class="editor-problem">{`${countFailed} ${errorText(error)}`}</p>;
  if (read === undefined) return <p class="editor-hint">{counting} …</p>;
  return (
    <p class="editor-hint">
      {read.counted === 0 ? countsNone : countsOf(at(from), at(end), read.counted)}
      {read.cutAt !== undefined && ` ${countsCut(at(read.cutAt), countText(MOST_READINGS))}`}
    </p>
  );
}

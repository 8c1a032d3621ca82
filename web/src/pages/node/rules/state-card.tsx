import type { Qualities } from '../../../data/records/quality.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { localeOf, times } from '../../../data/times.ts';
import { Button } from '../../../ui/button.tsx';
import { type Field, useForm } from '../../../ui/form/index.ts';
import { Icon } from '../../../ui/icon.tsx';
import { language } from '../../../words/index.ts';
import { durationText } from '../duration.ts';
import type { FormState } from './list.ts';
import type { Placed } from './order.ts';
import type { Visits } from './visits.ts';
import { say } from './words.ts';

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

/** Draws all that a state has. */
export function StateCard(props: StateCardProps) {
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

import type { Node } from '../../../data/nodes/nodes.ts';
import { raisedText, typeText } from '../../../parts/alarm-names.ts';
import { type Document, type Field, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { Icon } from '../../../ui/icon.tsx';
import { words } from '../../../words/index.ts';
import { alarming, statesOf } from './list.ts';
import { say } from './words.ts';

type Alarms = Readonly<Record<string, { readonly status?: { readonly alarmState?: string } }>>;

/** Shows each alarm that the node has: when it is raised, what it is now, and how it is set. */
export function AlarmsField({ field, path, value, onChange, node }: FieldProps & { readonly node: Node }) {
  const { document } = useForm();
  const alarms = (value ?? {}) as Readonly<Record<string, Document | null>>;
  const known = (node.alarms ?? {}) as Alarms;
  const fields = field.shape.kind === 'object' ? field.shape.fields : [];
  const hasStates = Array.isArray(document.states);
  return (
    <>
      {known.stateAlarm && (
        <AlarmCard type="stateAlarm" alarms={known}>
          <p class="soft">{hasStates ? raisedBy(alarming(statesOf(document.states))) : say().locationStates}</p>
        </AlarmCard>
      )}
      {fields.map((field) => (
        <AlarmCard key={field.name} type={field.name} alarms={known}>
          <Config
            field={field}
            path={`${path}.${field.name}`}
            value={alarms[field.name]}
            onChange={(next) => onChange({ ...alarms, [field.name]: next })}
          />
        </AlarmCard>
      ))}
    </>
  );
}

const raisedBy = (names: readonly string[]): string =>
  names.length === 0 ? say().raisedByNone : say().raisedBy(names.join(', '));

type AlarmCardProps = { readonly type: string; readonly alarms: Alarms; readonly children: preact.ComponentChildren };

function AlarmCard({ type, alarms, children }: AlarmCardProps) {
  const { alarms: texts } = words.value;
  const state = alarms[type]?.status?.alarmState ?? 'CLEARED';
  const stateWord = { ACTIVE: texts.ACTIVE, ACKNOWLEDGED: texts.ACKNOWLEDGED, CLEARED: texts.CLEARED }[state] ?? state;
  return (
    <section class="rule-card" aria-label={typeText(type)}>
      <h3 class="rule-head">
        <span>{typeText(type)}</span>
        <span class={`rule-now is-${state.toLowerCase()}`}>
          <Icon name={state === 'CLEARED' ? 'check' : 'bell'} /> {stateWord}
        </span>
      </h3>
      <p class="editor-hint">{raisedText(type)}</p>
      {children}
    </section>
  );
}

/** Draws what may be set of an alarm, without the box that its schema puts around it. */
function Config({ field, path, value, onChange }: FieldProps) {
  const { show, isShown } = useForm();
  const config = fieldsIn(field).find(({ name }) => name === 'config');
  if (!config) return null;
  const alarm = (value ?? {}) as Document;
  const set = (alarm.config ?? {}) as Document;
  return (
    <div class="rule-fields">
      {fieldsIn(config)
        .filter((field) => isShown(`${path}.config.${field.name}`, set))
        .map((field) => (
          <div key={field.name} class={`rule-field is-${field.name}`}>
            {show({
              field,
              path: `${path}.config.${field.name}`,
              value: set[field.name],
              onChange: (next) => onChange({ ...alarm, config: { ...set, [field.name]: next } }),
            })}
          </div>
        ))}
    </div>
  );
}

const fieldsIn = ({ shape }: Field): readonly Field[] => (shape.kind === 'object' ? shape.fields : []);

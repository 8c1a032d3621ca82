import { useMemo } from 'preact/hooks';
import type { Node } from '../../../data/nodes/nodes.ts';
import { schemas, settableOf } from '../../../data/requests/schemas.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { formWords } from '../../../parts/words-of.ts';
import { type FieldProps, Form, fieldsOf, type JsonSchema, type Schemas } from '../../../ui/form/index.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { loadAttributeWords } from '../../../words/attributes.ts';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { documentOf } from '../settings/body.ts';
import { ALARM_GROUP, grouped, isShown } from '../settings/groups.ts';
import { revisionOf, save } from '../settings/save.ts';
import { specialField } from '../settings/special-fields.tsx';
import { AlarmsField } from './alarms-field.tsx';
import { KindField } from './kind-field.tsx';
import { MessageField } from './message-field.tsx';
import { Notified } from './notified.tsx';
import { StatesField } from './states-field.tsx';
import { TypesField } from './types-field.tsx';
import { loadWords, say } from './words.ts';
import '../../../styles/console/forms.css';
import '../../../styles/console/rules.css';

/** Shows what values of a node mean, what raises its alarms, and who is notified. */
export function NodeRules({ node, isGone }: { readonly node: Node; readonly isGone: boolean }) {
  const known = useAsked(
    async () => (await Promise.all([schemas(), loadAttributeWords(), loadWords()]))[0],
    [language.value],
  );
  const fields = useMemo(() => {
    const schema = known.value && settableOf(known.value, node._class);
    const all = schema && fieldsOf(schema as JsonSchema, known.value as Schemas);
    return all && (grouped(all).find(({ group }) => group === ALARM_GROUP)?.fields ?? []);
  }, [known.value, node._class]);
  const document = useMemo(() => fields && documentOf(node, fields), [node, fields]);
  if (!fields || !document) {
    const { node: texts, ui } = words.value;
    return known.error === undefined ? (
      <Busy text={ui.loading} />
    ) : (
      <Problem text={`${texts.settingsFailed} ${errorText(known.error)}`} again={known.again} againText={ui.again} />
    );
  }
  const { states, hysteresis, hysteresisText, alarms, readOnly } = say();
  const mayAlarms = !isGone && may('EDIT_ALARMS', node);
  const mayAll = !isGone && may('CONFIGURE', node);
  const named = (...names: readonly string[]) =>
    fields
      .filter(({ name }) => names.includes(name))
      .map((field) => (field.name === 'hysteresis' ? { ...field, hint: hysteresisText } : field));
  const special = (props: FieldProps) => {
    const { name } = props.field;
    if (props.path === 'states') return <StatesField {...props} node={node} />;
    if (props.path === 'statesType') return <KindField {...props} />;
    if (name === 'qualityTypes') return <TypesField {...props} />;
    if (props.path === 'alarms') return <AlarmsField {...props} node={node} />;
    if (name === 'messageAway' || name === 'messageTowards') return <MessageField {...props} node={node} />;
    return specialField(props);
  };
  return (
    <div class="settings rules">
      {!mayAlarms && <p class="soft">{readOnly}</p>}
      <Form
        key={node._id}
        storageKey={`rules ${node._id}`}
        document={document}
        revision={revisionOf(node, document)}
        groups={[
          { title: states, fields: named('statesType', 'states'), isReadOnly: !mayAlarms },
          { title: hysteresis, fields: named('hysteresis'), isReadOnly: !mayAll },
          { title: alarms, fields: named('alarms'), isReadOnly: !mayAlarms },
        ].filter((group) => group.fields.some(({ name }) => isShown(name, { ...document })))}
        words={formWords()}
        isReadOnly={!mayAlarms}
        isShown={isShownHere}
        special={special}
        save={(changes, base, revision) =>
          save(node, { changes, base, revision, read: (saved) => documentOf(saved, fields) })
        }
      >
        <Notified node={node} />
      </Form>
    </div>
  );
}

/** overloadAlarm is always on: the server refuses anything else (docs/reference/alarms.md#alarm-object). */
const isShownHere: typeof isShown = (path, siblings) =>
  path !== 'alarms.overloadAlarm.config.isEnabled' && isShown(path, siblings);

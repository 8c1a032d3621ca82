import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { categories } from '../../../data/account/categories.ts';
import { nodeAddress } from '../../../data/addresses.ts';
import { fullClass } from '../../../data/nodes/classes.ts';
import { client } from '../../../data/requests/client.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { NodeSearch } from '../../../parts/node-search.tsx';
import { formWords } from '../../../parts/words-of.ts';
import type { FieldProps } from '../../../ui/form/index.ts';
import { FieldHint, FieldProblem, FieldView, useForm } from '../../../ui/form/index.ts';
import { Icon } from '../../../ui/icon.tsx';
import { words } from '../../../words/index.ts';

/** These attributes hold the id of a node, and its class has this word. */
const NODES: Readonly<Record<string, string>> = {
  coordinateSourceId: 'source',
  imageSourceId: 'AttachmentSource',
  imageAttachmentId: 'Attachment',
  attachmentId: 'Attachment',
  inputNodeId: 'Number',
  speedNodeId: 'Number',
  directionNodeId: 'Number',
  nodeId: '',
};

const CHARTS = ['LineChart', 'ColumnChart'];

/** Shows fields that are more than a text: nodes are searched for; categories, zones and kinds of charts are chosen. */
export function specialField(props: FieldProps): ComponentChildren | undefined {
  const { name } = props.field;
  if (Object.hasOwn(NODES, name) && props.field.shape.kind === 'text') return <NodeField {...props} />;
  if (name === '_class' && props.field.shape.kind === 'text') {
    const choices = CHARTS.map((kind) => fullClass(`point.chart.${kind}`));
    return <FieldView {...props} field={{ ...props.field, shape: { kind: 'choice', choices } }} />;
  }
  if (name === 'categoryId') return <CategoryField {...props} />;
  if (name === 'timezone' && props.field.shape.kind === 'text') return <ZoneField {...props} />;
  return undefined;
}

function NodeField({ field, path, value, onChange }: FieldProps) {
  const { node: say, form } = words.value;
  const { isReadOnly } = useForm();
  const label = formWords().label(field.name);
  const id = typeof value === 'string' && value !== '' ? value : undefined;
  const named = useAsked(async () => (id === undefined ? undefined : client.nodes.get(id, { attr: '_id,name' })), [id]);
  return (
    <div class="editor-field">
      <span class="editor-label">{label}</span>
      <div class="editor-node">
        {id === undefined ? (
          <span class="soft">{say.noNode}</span>
        ) : (
          <a href={nodeAddress(named.value?._id ?? id)} dir="auto">
            {named.value?.name ?? (named.error === undefined ? '…' : say.unknownNode)}
          </a>
        )}
        {id !== undefined && !isReadOnly && (
          <button
            type="button"
            class="button is-bare is-sign"
            aria-label={form.remove(label)}
            title={form.remove(label)}
            onClick={() => onChange(null)}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      {!isReadOnly && (
        <NodeSearch
          label={`${label}: ${say.search}`}
          hint={say.search}
          {...(NODES[field.name] && { class: NODES[field.name]! })}
          onChoose={(found) => onChange(found._id)}
        />
      )}
      <FieldHint text={field.hint} />
      <FieldProblem path={path} />
    </div>
  );
}

function CategoryField({ field, path, value, onChange }: FieldProps) {
  const { form } = words.value;
  const { isReadOnly, problemOf } = useForm();
  const id = useId();
  const all = useAsked(() => categories(), []);
  const known = all.value ?? [];
  const isKnown = known.some(({ _id }) => _id === value);
  return (
    <div class="editor-field">
      <label for={id}>{formWords().label(field.name)}</label>
      <select
        id={id}
        disabled={isReadOnly}
        aria-describedby={`${id}-problem`}
        aria-invalid={problemOf(path) !== undefined}
        onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      >
        <option value="" selected={!value}>
          {form.none}
        </option>
        {typeof value === 'string' && value !== '' && !isKnown && (
          <option value={value} selected>
            {value}
          </option>
        )}
        {known.map(({ _id, name }) => (
          <option key={_id} value={_id} selected={_id === value}>
            {name}
          </option>
        ))}
      </select>
      <FieldHint text={field.hint} />
      <FieldProblem path={path} id={`${id}-problem`} />
    </div>
  );
}

function ZoneField({ field, path, value, onChange }: FieldProps) {
  const { isReadOnly, problemOf } = useForm();
  const id = useId();
  return (
    <div class="editor-field">
      <label for={id}>{formWords().label(field.name)}</label>
      <input
        id={id}
        type="text"
        list={`${id}-zones`}
        disabled={isReadOnly}
        aria-describedby={`${id}-problem`}
        aria-invalid={problemOf(path) !== undefined}
        autocomplete="off"
        value={typeof value === 'string' ? value : ''}
        placeholder={typeof field.usual === 'string' ? field.usual : ''}
        onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      />
      <datalist id={`${id}-zones`}>
        {['Etc/UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <FieldHint text={field.hint} />
      <FieldProblem path={path} id={`${id}-problem`} />
    </div>
  );
}

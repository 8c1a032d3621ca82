import { useId, useMemo, useState } from 'preact/hooks';
import { nodeAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import type { Computation } from '../../../data/processing/computations.ts';
import { schemas, settableOf } from '../../../data/requests/schemas.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { formWords } from '../../../parts/words-of.ts';
import {
  type Field,
  type FieldProps,
  Form,
  fieldsOf,
  type JsonSchema,
  type Schemas,
  useForm,
} from '../../../ui/form/index.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { loadAttributeWords } from '../../../words/attributes.ts';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { isProcessor, isProgram } from '../has-program.ts';
import { TypesField } from '../rules/types-field.tsx';
import { revisionOf } from '../settings/save.ts';
import { CodeField } from './code-field.tsx';
import { documentOf, trialOf } from './document.ts';
import { PROCESS_FIELDS } from './process-fields.ts';
import { saveProgram } from './save.ts';
import { Follows, ReadsAndWrites, Standing } from './standing.tsx';
import { useComputation } from './use-computation.ts';
import { loadWords, say } from './words.ts';
import '../../../styles/console/forms.css';
import '../../../styles/console/program.css';

type PartProps = { readonly node: Node; readonly isGone: boolean };

/** Shows a program: its text, what it does with the last records, whether it runs, and what a change of it computes anew. */
export function NodeProgram(props: PartProps) {
  const { node } = props;
  const known = useAsked(
    async () => (await Promise.all([schemas(), loadAttributeWords(), loadWords()]))[0],
    [language.value],
  );
  const fields = useMemo(
    () => known.value && fieldsOfProgram(known.value as Schemas, node),
    [known.value, node._class],
  );
  if (fields) return <Program {...props} fields={fields} />;
  const { node: texts, ui } = words.value;
  return known.error === undefined ? (
    <Busy text={ui.loading} />
  ) : (
    <Problem text={`${texts.settingsFailed} ${errorText(known.error)}`} again={known.again} againText={ui.again} />
  );
}

/** Returns the attributes of `process`, or the shared code, as the API describes them. */
function fieldsOfProgram(all: Schemas, node: Node): readonly Field[] {
  const schema = settableOf(all as Parameters<typeof settableOf>[0], node._class);
  const settable = schema ? fieldsOf(schema as JsonSchema, all) : [];
  if (!isProgram(node)) return settable.filter(({ name }) => name === 'sharedCode');
  const process = settable.find(({ name }) => name === 'process');
  const fields = process?.shape.kind === 'object' ? process.shape.fields : [];
  return PROCESS_FIELDS.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

function Program({ node, isGone, fields }: PartProps & { readonly fields: readonly Field[] }) {
  const texts = say();
  const document = useMemo(() => documentOf(node), [node]);
  const computation = useComputation(node);
  const [triedId, setTriedId] = useState<string>();
  const mayChange = !isGone && may('CONFIGURE', node);
  const isOwn = isProgram(node);
  const programs = computation.value?.followers.filter(({ kind }) => kind === 'PROGRAM') ?? [];
  const chosenId = isOwn ? node._id : (programs.find(({ _id }) => _id === triedId) ?? programs[0])?._id;
  const special = (props: FieldProps) => {
    const { name } = props.field;
    if (name === 'code' || name === 'sharedCode') return <Code {...props} node={node} id={chosenId} />;
    if (name === 'qualityFilter') return <TypesField {...props} />;
    return undefined;
  };
  const isText = ({ name }: Field) => name === 'code' || name === 'sharedCode';
  const groups = [
    { title: isOwn ? texts.code : texts.shared, fields: fields.filter(isText) },
    ...(isOwn ? [{ title: texts.when, fields: fields.filter((field) => !isText(field)) }] : []),
  ];
  return (
    <div class="settings program">
      {!mayChange && <p class="soft">{texts.readOnly}</p>}
      {isOwn ? <Standing node={node} isGone={isGone} asked={computation} /> : <p>{texts.sharedText}</p>}
      {isOwn && computation.value && computation.value.state !== 'NONE' && <ReadsAndWrites value={computation.value} />}
      {!isOwn && mayChange && computation.value && (
        <TriedWith programs={programs} chosenId={chosenId} onChoose={setTriedId} />
      )}
      <Form
        key={node._id}
        storageKey={`program ${node._id}`}
        document={document}
        revision={revisionOf(node, document)}
        groups={groups}
        words={formWords()}
        isReadOnly={!mayChange}
        isShown={() => true}
        special={special}
        save={async (changes, base, revision) => {
          const saved = await saveProgram(node, changes, base, revision);
          if (saved.kind === 'saved') computation.again();
          return saved;
        }}
      >
        {isProcessor(node) && (
          <p class="soft">
            {texts.schedule} <a href={nodeAddress(node._id, 'settings')}>{words.value.node.settings}</a>
          </p>
        )}
        {isOwn && (
          <p class="soft">
            <a href={nodeAddress((node as { workspaceId?: string }).workspaceId ?? '', 'program')}>
              {texts.sharedHere}
            </a>
          </p>
        )}
        {computation.value && (
          <Follows node={node} isGone={isGone} value={computation.value} again={computation.again} />
        )}
      </Form>
    </div>
  );
}

/** Edits the text, tried with all that is typed in the form. */
function Code({ node, id, ...props }: FieldProps & { readonly node: Node; readonly id: string | undefined }) {
  const { document } = useForm();
  const program = isProgram(node) ? trialOf(document) : { sharedCode: String(document.sharedCode ?? '') };
  return <CodeField {...props} node={node} tried={id === undefined ? undefined : { id, program }} />;
}

type TriedWithProps = {
  readonly programs: Computation['followers'];
  readonly chosenId: string | undefined;
  readonly onChoose: (id: string) => void;
};

/** Shared code does nothing by itself: a program of the Workspace is run with it. */
function TriedWith({ programs, chosenId, onChoose }: TriedWithProps) {
  const texts = say();
  const id = useId();
  if (programs.length === 0) return <p class="soft">{texts.tryNone}</p>;
  return (
    <p class="program-with">
      <label for={id}>{texts.tryWith}</label>
      <select id={id} onChange={(event) => onChoose(event.currentTarget.value)}>
        {programs.map(({ _id, name, path }) => (
          <option key={_id} value={_id} selected={_id === chosenId}>
            {name} – {path.split('/').slice(2, -1).join(' / ')}
          </option>
        ))}
      </select>
    </p>
  );
}

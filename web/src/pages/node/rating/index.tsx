import { useMemo } from 'preact/hooks';
import { type Node, readNode } from '../../../data/nodes/nodes.ts';
import { readBefore } from '../../../data/records/records.ts';
import { schemas, settableOf } from '../../../data/requests/schemas.ts';
import { type Asked, useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { formWords } from '../../../parts/words-of.ts';
import {
  type Document,
  type Field,
  type FieldProps,
  Form,
  fieldsOf,
  type JsonSchema,
  type Saved,
  type Schemas,
  useForm,
} from '../../../ui/form/index.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { loadAttributeWords } from '../../../words/attributes.ts';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { Follows } from '../program/standing.tsx';
import { useComputation } from '../program/use-computation.ts';
import { loadWords as loadProgramWords } from '../program/words.ts';
import { revisionOf, save } from '../settings/save.ts';
import { specialField } from '../settings/special-fields.tsx';
import { entriesOf } from './curve.ts';
import type { InputRecord } from './effect.tsx';
import { RatingFile } from './file.tsx';
import { RatingsField } from './ratings-field.tsx';
import { loadWords, say } from './words.ts';
import '../../../styles/console/forms.css';
import '../../../styles/console/files.css';
import '../../../styles/console/program.css';
import '../../../styles/console/rating.css';

type PartProps = { readonly node: Node; readonly isGone: boolean };
/** A change is tried with this many records of the input. */
const LAST = 500;

/** Shows a rating: curves and tables by their dates, from and to files, and what a change makes of the last records. */
export function NodeRating(props: PartProps) {
  const { node } = props;
  const known = useAsked(
    async () => (await Promise.all([schemas(), loadAttributeWords(), loadWords(), loadProgramWords()]))[0],
    [language.value],
  );
  const fields = useMemo(() => {
    const schema = known.value && settableOf(known.value, node._class);
    const rating =
      schema && fieldsOf(schema as JsonSchema, known.value as Schemas).find(({ name }) => name === 'rating');
    return rating?.shape.kind === 'object' ? rating.shape.fields : undefined;
  }, [known.value, node._class]);
  if (fields) return <Rating {...props} fields={fields} />;
  const { node: texts, ui } = words.value;
  return known.error === undefined ? (
    <Busy text={ui.loading} />
  ) : (
    <Problem text={`${texts.settingsFailed} ${errorText(known.error)}`} again={known.again} againText={ui.again} />
  );
}

const documentOf = (node: Document): Document => {
  const { inputNodeId = null, ratings = [] } = (node.rating ?? {}) as Document;
  return { inputNodeId, ratings };
};

const PREFIX = 'rating.';

/** Saves input and ratings as one, unless somebody else was first. */
async function saveRating(node: Node, changes: Document, base: Document, revision: string): Promise<Saved> {
  const { inputNodeId, ratings } = { ...base, ...changes };
  const isNone = inputNodeId === null && entriesOf(ratings).length === 0;
  const answer = await save(node, {
    changes: { rating: isNone ? null : { inputNodeId: inputNodeId ?? '', ratings } },
    base: { rating: base },
    revision,
    read: documentOf,
  });
  const isOwn = answer.kind === 'refused' && answer.path?.startsWith(PREFIX);
  return isOwn ? { ...answer, path: answer.path?.slice(PREFIX.length) } : answer;
}

function Rating({ node, isGone, fields }: PartProps & { readonly fields: readonly Field[] }) {
  const texts = say();
  const document = useMemo(() => documentOf(node), [node]);
  const computation = useComputation(node);
  const mayChange = !isGone && may('CONFIGURE', node);
  const named = (name: string) => fields.filter((field) => field.name === name);
  const special = (props: FieldProps) =>
    props.path === 'ratings' ? <Ratings {...props} node={node} /> : specialField(props);
  return (
    <div class="settings program">
      {!mayChange && <p class="soft">{texts.readOnly}</p>}
      <Form
        key={node._id}
        storageKey={`rating ${node._id}`}
        document={document}
        revision={revisionOf(node, document)}
        groups={[
          { title: texts.input, fields: named('inputNodeId').map((field) => ({ ...field, hint: texts.inputText })) },
          { title: texts.ratings, fields: named('ratings') },
        ]}
        words={formWords()}
        isReadOnly={!mayChange}
        isShown={() => true}
        special={special}
        save={(changes, base, revision) => saveRating(node, changes, base, revision)}
      >
        <RatingFile node={node} isReadOnly={!mayChange} />
        {computation.value && (
          <Follows node={node} isGone={isGone} value={computation.value} again={computation.again} />
        )}
      </Form>
    </div>
  );
}

/** Shows the field with records of the input that is chosen in the form. */
function Ratings({ node, ...props }: FieldProps & { readonly node: Node }) {
  const { document } = useForm();
  const inputId =
    typeof document.inputNodeId === 'string' && document.inputNodeId !== '' ? document.inputNodeId : undefined;
  const input = useAsked(async () => (inputId === undefined ? undefined : readNode(inputId, '_id,units')), [inputId]);
  const records: Asked<readonly InputRecord[]> = useAsked(
    async (signal) => (inputId === undefined ? [] : numbersOf(await readBefore(inputId, Date.now(), LAST, signal))),
    [inputId],
  );
  return <RatingsField {...props} node={node} records={records} inputUnits={String(input.value?.units ?? '')} />;
}

const numbersOf = (rows: Awaited<ReturnType<typeof readBefore>>): readonly InputRecord[] =>
  rows.flatMap(({ ms, value }) => (typeof value === 'number' ? [{ ms, value }] : [])).sort((a, b) => a.ms - b.ms);

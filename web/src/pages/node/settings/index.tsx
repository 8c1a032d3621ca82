import { useEffect, useMemo } from 'preact/hooks';
import { client } from '../../../data/client.ts';
import { attributeOf, isOvertaken } from '../../../data/failures.ts';
import { type Node, rereadNode, updateNode } from '../../../data/nodes.ts';
import { may } from '../../../data/rights.ts';
import { schemas, settableOf } from '../../../data/schemas.ts';
import { useAsked } from '../../../data/use-asked.ts';
import { formWords } from '../../../parts/words-of.ts';
import { type Document, Form, fieldsOf, type JsonSchema, type Saved, type Schemas } from '../../../ui/form/index.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { toast } from '../../../ui/toast.tsx';
import { loadAttributeWords } from '../../../words/attributes.ts';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { bodyOf, documentOf } from './body.ts';
import { ALARM_GROUP, grouped, isShown } from './groups.ts';
import { specialField } from './special-fields.tsx';
import '../../../styles/console/forms.css';

/** Every attribute of the node's class that may be set, as the API describes them. */
export function NodeSettings({ node, isGone }: { readonly node: Node; readonly isGone: boolean }) {
  const { node: say, ui } = words.value;
  const known = useAsked(async () => (await Promise.all([schemas(), loadAttributeWords()]))[0], [language.value]);
  const fields = useMemo(() => {
    const schema = known.value && settableOf(known.value, node._class);
    return schema
      ? fieldsOf(schema as JsonSchema, known.value as Schemas).filter(({ name }) => name !== 'parentId')
      : undefined;
  }, [known.value, node._class]);
  const document = useMemo(() => fields && documentOf(node, fields), [node, fields]);
  useAnchor(document !== undefined);
  if (!fields || !document)
    return known.error === undefined ? (
      <Busy text={say.settingsLoading} />
    ) : (
      <Problem text={`${say.settingsFailed} ${errorText(known.error)}`} again={known.again} againText={ui.again} />
    );
  const mayAll = !isGone && may('CONFIGURE', node);
  const mayAlarms = !isGone && may('EDIT_ALARMS', node);
  return (
    <div class="settings">
      {!mayAll && <p class="soft">{mayAlarms ? say.readOnlyAlarms : say.readOnly}</p>}
      <Form
        key={node._id}
        storageKey={`settings ${node._id}`}
        document={document}
        revision={revisionOf(node, document)}
        groups={grouped(fields).map(({ group, fields: some }) => ({
          title: say.groups[group],
          fields: some,
          isReadOnly: group === ALARM_GROUP ? !mayAlarms : !mayAll,
        }))}
        words={formWords()}
        isReadOnly={!mayAll && !mayAlarms}
        isShown={isShown}
        special={specialField}
        save={(changes, base, revision) =>
          save(node, { changes, base, revision, read: (own) => documentOf(own, fields) })
        }
      />
    </div>
  );
}

/** The server's number; of one that has none yet, what the form knows of the node. */
const revisionOf = (node: Node, document: Document): string =>
  node.revision === undefined ? JSON.stringify(document) : String(node.revision);

type Save = {
  readonly changes: Document;
  readonly base: Document;
  readonly revision: string;
  readonly read: (node: Document) => Document;
};

async function save(node: Node, { changes, base, revision, read }: Save): Promise<Saved> {
  const number = /^\d+$/.test(revision) ? Number(revision) : undefined;
  try {
    const saved = await updateNode(node._id, bodyOf(changes, base), number);
    toast(words.value.node.saved);
    void rereadNode(node._id);
    const document = read(saved);
    return { kind: 'saved', document, revision: revisionOf(saved, document) };
  } catch (error) {
    if (isOvertaken(error)) return theirs(node, read);
    const path = attributeOf(error);
    return { kind: 'refused', message: errorText(error), ...(path !== undefined && { path }) };
  }
}

/** What somebody else has saved meanwhile. */
async function theirs(node: Node, read: Save['read']): Promise<Saved> {
  try {
    const now = (await client.nodes.get(node._id)) as unknown as Node;
    const document = read(now);
    return { kind: 'conflict', document, revision: revisionOf(now, document) };
  } catch (error) {
    return { kind: 'refused', message: errorText(error) };
  }
}

/** An address such as `…/settings#states` leads to the attribute. */
function useAnchor(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || location.hash.length < 2) return;
    const element = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    element?.scrollIntoView({ block: 'start' });
    element?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
  }, [isThere]);
}

import { useEffect, useMemo, useState } from 'preact/hooks';
import { nodeAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { schemas, settableOf } from '../../../data/requests/schemas.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { formWords } from '../../../parts/words-of.ts';
import { type Document, Form, fieldsOf, type JsonSchema, type Schemas } from '../../../ui/form/index.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { loadAttributeWords } from '../../../words/attributes.ts';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { hasProgram, hasRating, isProgram } from '../has-program.ts';
import { hasRules } from '../has-rules.ts';
import { bodyOf, documentOf } from './body.ts';
import { ChartPicture } from './chart-picture.tsx';
import { ALARM_GROUP, grouped, isElsewhere, isShown } from './groups.ts';
import { revisionOf, save } from './save.ts';
import { specialField } from './special-fields.tsx';
import { TemplateReach } from './template-reach.tsx';
import '../../../styles/console/forms.css';

/** Edits every attribute of the node's class that may be set, as the API describes them. */
export function NodeSettings({ node, isGone }: { readonly node: Node; readonly isGone: boolean }) {
  const { node: say, ui } = words.value;
  const known = useAsked(async () => (await Promise.all([schemas(), loadAttributeWords()]))[0], [language.value]);
  const fields = useMemo(() => {
    const schema = known.value && settableOf(known.value, node._class);
    return schema
      ? fieldsOf(schema as JsonSchema, known.value as Schemas).filter(({ name }) => !isElsewhere(name, node))
      : undefined;
  }, [known.value, node._class]);
  const document = useMemo(() => fields && documentOf(node, fields), [node, fields]);
  const [drafted, setDrafted] = useState<Document>({});
  useAnchor(document !== undefined);
  if (!fields || !document)
    return known.error === undefined ? (
      <Busy text={say.settingsLoading} />
    ) : (
      <Problem text={`${say.settingsFailed} ${errorText(known.error)}`} again={known.again} againText={ui.again} />
    );
  const mayAll = !isGone && may('CONFIGURE', node);
  const hasPicture = mayAll && /\.chart\.\w+$/.test(node._class) && !node._class.includes('.point.');
  return (
    <div class={hasPicture ? 'settings has-picture' : 'settings'}>
      {hasPicture && <ChartPicture node={node} changes={drafted} />}
      {!mayAll && <p class="soft">{say.readOnly}</p>}
      {hasRules(node) && (
        <p class="soft">
          {say.rulesElsewhere} <a href={nodeAddress(node._id, 'rules')}>{say.rules}</a>
        </p>
      )}
      {hasRating(node) && (
        <p class="soft">
          {say.ratingElsewhere} <a href={nodeAddress(node._id, 'rating')}>{say.rating}</a>
        </p>
      )}
      {hasProgram(node) && (
        <p class="soft">
          {isProgram(node) ? say.programElsewhere : say.sharedElsewhere}{' '}
          <a href={nodeAddress(node._id, 'program')}>{isProgram(node) ? say.program : say.sharedCode}</a>
        </p>
      )}
      <Form
        key={node._id}
        storageKey={`settings ${node._id}`}
        document={document}
        revision={revisionOf(node, document)}
        groups={grouped(fields)
          .filter(({ group }) => group !== ALARM_GROUP || !hasRules(node))
          .map(({ group, fields: some }) => ({ title: say.groups[group], fields: some }))}
        words={formWords()}
        isReadOnly={!mayAll}
        isShown={isShown}
        special={specialField}
        onDraft={(changes, base) => setDrafted(bodyOf(changes, base))}
        save={(changes, base, revision) =>
          save(node, { changes, base, revision, read: (saved) => documentOf(saved, fields) })
        }
      >
        {Object.keys(drafted).length > 0 && <TemplateReach node={node} changes={drafted} />}
      </Form>
    </div>
  );
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

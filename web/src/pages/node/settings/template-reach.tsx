import { useEffect, useState } from 'preact/hooks';
import { fullClass } from '../../../data/nodes/classes.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { changedBy, countsOf, fatesOf, type Values } from '../../../data/nodes/template-values.ts';
import { nodesFollowing } from '../../../data/nodes/templates.ts';
import { client } from '../../../data/requests/client.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { formWords } from '../../../parts/words-of.ts';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { pageWords } from '../../../words/page-words.ts';

const { hasWords, loadWords, say } = pageWords({
  en: () => import('../../../words/en/templates.ts').then(({ templates }) => templates),
  de: () => import('../../../words/de/templates.ts').then(({ templates }) => templates),
});

type ReachProps = { readonly node: Node; readonly changes: Values };

/**
 * Shows what a change of a template's node does in the nodes that follow it, before it is saved. Of a node elsewhere there is nothing to
 * say.
 */
export function TemplateReach({ node, changes }: ReachProps) {
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    void loadWords().then(
      () => setHere(true),
      () => {},
    );
  }, [language.value]);
  const inside = useAsked(() => isInTemplate(node), [node.workspaceId]);
  if (!isHere || !hasWords() || inside.value === undefined || inside.value === false) return null;
  return <Reach node={node} changes={changes} isRoot={node.parentId === node.workspaceId} />;
}

async function isInTemplate({ workspaceId }: Node): Promise<boolean> {
  if (typeof workspaceId !== 'string') return false;
  const filter = `_class($eq:${fullClass('Templates')})`;
  for await (const { _id } of client.nodes.list({ filter, attr: '_id' })) if (_id === workspaceId) return true;
  return false;
}

function Reach({ node, changes, isRoot }: ReachProps & { readonly isRoot: boolean }) {
  const text = say().reach;
  const { ui } = words.value;
  const fates = fatesOf({ before: node, changes, isRoot });
  const names = [...fates.keys()].sort();
  // The values of the nodes make no difference where all are changed.
  const compared = names.filter((name) => fates.get(name) !== 'follows');
  const asked = useAsked((stop) => nodesFollowing(node, compared, stop), [node._id, node.revision, compared.join()]);
  const { value, error } = asked;
  if (error !== undefined)
    return <Problem text={`${text.failed} ${errorText(error)}`} again={asked.again} againText={ui.again} />;
  if (value === undefined) return <Busy text={text.loading} />;
  const { label } = formWords();
  const after = changedBy(node, changes);
  return (
    <section class="editor-section template-reach" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p>{value.nodes.length === 0 ? text.none : text.of(value.nodes.length, value.hasMore)}</p>
      {value.nodes.length > 0 && (
        <ul>
          {names.map((name) => {
            const fate = fates.get(name)!;
            const { changed, kept } = countsOf(name, fate, { after, nodes: value.nodes });
            return (
              <li key={name}>
                <strong>{label(name)}</strong>:{' '}
                {fate === 'opened' ? text.opened : fate === 'kept' ? text.kept(kept) : text[fate](changed)}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

import { dashboardsAddress } from '../../data/addresses.ts';
import { shortClass } from '../../data/nodes/classes.ts';
import { rereadNode } from '../../data/nodes/nodes.ts';
import { useNode } from '../../data/nodes/use-node.ts';
import { may } from '../../data/session/rights.ts';
import { PageNote, usePageTitle } from '../../parts/page-title.tsx';
import { WithWords } from '../../parts/with-words.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Editor } from './editor.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/forms.css';
import '../../styles/console/dash.css';

/** Shows a dashboard while it is made: its tiles on the grid, and beside them what is set of one. */
export default function DashPage({ id = '' }: { readonly id?: string }) {
  return (
    <WithWords hasWords={hasWords} loadWords={loadWords}>
      {() => <Board key={id} id={id} />}
    </WithWords>
  );
}

function Board({ id }: { readonly id: string }) {
  const text = say();
  const held = useNode(decodeURIComponent(id));
  const node = held.kind === 'ready' ? held.node : held.kind === 'loading' ? undefined : held.last;
  usePageTitle(node ? text.title(node.name) : held.kind === 'loading' ? text.edit : undefined);
  if (held.kind === 'gone')
    return (
      <PageNote icon="boards" title={text.gone} action={<BackToList />}>
        {text.goneText}
      </PageNote>
    );
  if (held.kind === 'failed' && !node)
    return (
      <section class="page">
        <Problem
          text={`${text.failed} ${errorText(held.error)}`}
          again={() => void rereadNode(decodeURIComponent(id))}
          againText={words.value.ui.again}
        />
      </section>
    );
  if (!node)
    return (
      <section class="page">
        <Busy text={text.loading} />
      </section>
    );
  if (shortClass(node._class) !== 'Dashboard')
    return <PageNote icon="boards" title={text.notBoard} action={<BackToList />} />;
  if (!may('CONFIGURE', node))
    return (
      <PageNote
        icon="boards"
        title={text.readOnly}
        action={
          <a class="button is-main" href={`/dash/${node._id}`}>
            {text.view}
          </a>
        }
      />
    );
  return <Editor node={node} />;
}

function BackToList() {
  return (
    <a class="button is-main" href={dashboardsAddress()}>
      {words.value.frame.dashboards}
    </a>
  );
}

import { reportFileAddress, reportsAddress } from '../../data/addresses.ts';
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
import { ReportList } from './list.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/forms.css';
import '../../styles/console/dash.css';
import '../../styles/console/report.css';

type ReportPageProps = { readonly id?: string; readonly tab?: string };

/** Shows the list of reports; or one of them while it is made: its paper and how it is printed, or when and to whom it goes. */
export default function ReportPage({ id = '', tab = 'paper' }: ReportPageProps) {
  return (
    <WithWords hasWords={hasWords} loadWords={loadWords}>
      {() => (id === '' ? <ReportList /> : <Report key={id} id={id} tab={tab} />)}
    </WithWords>
  );
}

function Report({ id, tab }: Required<ReportPageProps>) {
  const text = say();
  const held = useNode(decodeURIComponent(id));
  const node = held.kind === 'ready' ? held.node : held.kind === 'loading' ? undefined : held.last;
  usePageTitle(node ? text.title(node.name) : held.kind === 'loading' ? text.edit : undefined);
  if (held.kind === 'gone')
    return (
      <PageNote icon="file" title={text.gone} action={<BackToList />}>
        {text.goneText}
      </PageNote>
    );
  if (!node)
    return (
      <section class="page">
        {held.kind === 'failed' ? (
          <Problem
            text={`${text.failed} ${errorText(held.error)}`}
            again={() => void rereadNode(decodeURIComponent(id))}
            againText={words.value.ui.again}
          />
        ) : (
          <Busy text={text.loading} />
        )}
      </section>
    );
  if (shortClass(node._class) !== 'Report')
    return <PageNote icon="file" title={text.notReport} action={<BackToList />} />;
  if (!may('CONFIGURE', node))
    return (
      <PageNote
        icon="file"
        title={text.readOnly}
        action={
          <a class="button is-main" href={reportFileAddress(node._id)} target="_blank" rel="noreferrer">
            {text.openFile}
          </a>
        }
      />
    );
  return <Editor node={node} tab={tab === 'sending' ? 'sending' : 'paper'} />;
}

function BackToList() {
  return (
    <a class="button is-main" href={reportsAddress()}>
      {words.value.frame.reports}
    </a>
  );
}

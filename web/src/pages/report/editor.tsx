import { useState } from 'preact/hooks';
import { reportAddress } from '../../data/addresses.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { DraftHead, DraftTrouble } from '../../parts/draft-head.tsx';
import { ShareDialog } from '../../parts/share-dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { labelOfChange, saidOf } from './block-words.ts';
import { reportWords } from './fields.ts';
import { type Adding, PaperDesk } from './paper-desk.tsx';
import { Sending } from './sending.tsx';
import { useReport } from './use-report.ts';
import { say } from './words.ts';

type EditorProps = { readonly node: Node; readonly tab: 'paper' | 'sending' };
type Open = Adding | { readonly kind: 'share' };

/** Shows the room of a report that is being made. */
export function Editor({ node, tab }: EditorProps) {
  const text = say();
  const report = useReport(node);
  const { blocks, links, refusal } = report;
  const [open, setOpen] = useState<Open>();
  const isElsewhere =
    refusal && refusal.blockId === undefined && !/^(?:template|links|schedule|timezone)/.test(refusal.path ?? '');
  return (
    <section class="page dash-page report-page" aria-labelledby="title">
      <DraftHead node={node} draft={report} text={text} onShare={() => setOpen({ kind: 'share' })} />
      <DraftTrouble
        draft={report}
        refusal={refusal && (isElsewhere ? refusal.message : text.refused(refusal.message))}
        words={{ ...reportWords(), label: (name) => labelOfChange(name, blocks, links.length) }}
        saidOf={saidOf}
      />
      <Tabs
        label={text.parts}
        current={tab}
        items={[
          { key: 'paper', label: text.tabPaper, href: reportAddress(node._id) },
          { key: 'sending', label: text.tabSending, href: reportAddress(node._id, 'sending') },
        ]}
      />
      {tab === 'paper' ? (
        <PaperDesk node={node} report={report} adding={open?.kind === 'add' ? open : undefined} onAdding={setOpen} />
      ) : (
        <Sending node={node} report={report} />
      )}
      {open?.kind === 'share' && (
        <ShareDialog
          page="report"
          text={text}
          node={node}
          isUnsaved={report.count > 0}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

import { useEffect, useMemo, useState } from 'preact/hooks';
import { draggedNode, isNodeDrag } from '../../data/nodes/node-drag.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import type { Block } from '../../data/pages/reports.ts';
import { schemas } from '../../data/requests/schemas.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { Button } from '../../ui/button.tsx';
import type { Schemas } from '../../ui/form/index.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { loadAttributeWords } from '../../words/attributes.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { AddBlock } from './add-block.tsx';
import { BlockPanel } from './block/panel.tsx';
import { nameOfBlock, placeOfBlock } from './block-words.ts';
import { faultList, faultsByBlock } from './faults.ts';
import { reportFields } from './fields.ts';
import { Links, PaperPanel } from './paper-panel.tsx';
import { Preview, usePrinted } from './preview.tsx';
import { Sheet } from './sheet.tsx';
import { type Blocks, useBlocks } from './use-blocks.ts';
import type { EditedReport, Refusal } from './use-report.ts';
import { say } from './words.ts';

export type Adding = { readonly kind: 'add'; readonly inside?: string };

type DeskProps = {
  readonly node: Node;
  readonly report: EditedReport;
  /** This dialog adds a block, where it is open. */
  readonly adding: Adding | undefined;
  readonly onAdding: (adding: Adding | undefined) => void;
};

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** Shows the paper, what is set of the chosen block, and how it is printed. */
export function PaperDesk({ node, report, adding, onAdding }: DeskProps) {
  const text = say();
  const { document, blocks, links } = report;
  const editing = useBlocks(report);
  const { chosen } = editing;
  const [page, setPage] = useState(1);
  const [nowTime, setNow] = useState('');
  const known = useAsked(async () => (await Promise.all([schemas(), loadAttributeWords()]))[0], [language.value]);
  const fields = useMemo(() => known.value && reportFields(known.value as Schemas), [known.value]);
  const { printed, again, cancel } = usePrinted(node._id, document, blocks, { nowTime, page, isOn: true });
  const count = printed.last?.pageCount ?? 0;
  useEffect(() => {
    if (count > 0 && page > count) setPage(1);
  }, [count]);
  const refused = report.refusal ?? printed.refusal;
  const found = useMemo(() => faultsByBlock(printed.last?.problems ?? [], blocks), [printed.last]);
  return (
    <section
      ref={editing.room}
      aria-label={text.tabPaper}
      class={chosen ? 'report-desk has-panel' : 'report-desk'}
      onDragOver={(event) => {
        if (isNodeDrag(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        const dropped = draggedNode(event);
        if (!dropped) return;
        event.preventDefault();
        editing.add(/\.point\.|\.chart\.|Attachment/.test(dropped._class) ? 'IMAGE' : 'TEXT', dropped);
      }}
    >
      <div class="report-left">
        <BlockSheet
          report={report}
          editing={editing}
          wrong={new Set([...found.keys(), ...(refused?.blockId === undefined ? [] : [refused.blockId])])}
          onAdding={() => onAdding({ kind: 'add' })}
        />
        <Links
          links={links}
          refusal={refused}
          workspaceId={String(node.workspaceId ?? '')}
          onChange={(next, about) => report.edit({ links: next }, about)}
        />
        {fields && <PaperPanel report={report} fields={fields.paper} />}
      </div>
      {chosen &&
        (known.error !== undefined ? (
          <Problem text={errorText(known.error)} again={known.again} againText={words.value.ui.again} />
        ) : fields ? (
          <ChosenPanel
            key={chosen._id}
            block={chosen}
            fields={fields}
            report={report}
            editing={editing}
            refusal={refused?.blockId === chosen._id ? refused : undefined}
            found={found.get(chosen._id) ?? NO_FAULTS}
            onAdding={onAdding}
          />
        ) : (
          <Busy text={words.value.ui.loading} />
        ))}
      <Preview
        id={node._id}
        zone={{ name: String(document.timezone || 'Etc/UTC'), adjustForDst: document.timezoneAdjustForDst !== false }}
        printed={printed}
        page={page}
        nowTime={nowTime}
        isUnsaved={report.count > 0}
        problems={faultList(printed.last?.problems ?? [], blocks, editing.choose)}
        onPage={setPage}
        onNow={setNow}
        again={again}
        cancel={cancel}
      />
      <p class="unseen" aria-live="polite">
        {editing.said}
      </p>
      {adding && (
        <AddBlock
          workspaceId={String(node.workspaceId ?? '')}
          isInside={adding.inside !== undefined}
          onClose={() => onAdding(undefined)}
          onAdd={(type, dropped) => {
            onAdding(undefined);
            editing.add(type, dropped, adding.inside);
          }}
        />
      )}
    </section>
  );
}

type BlockSheetProps = {
  readonly report: EditedReport;
  readonly editing: Blocks;
  /** Blocks that have faults. */
  readonly wrong: ReadonlySet<string>;
  readonly onAdding: () => void;
};

/** Draws the blocks on their paper. */
function BlockSheet({ report: { blocks, paper }, editing, wrong, onAdding }: BlockSheetProps) {
  const text = say();
  const onKey = (block: Block, { key }: KeyboardEvent): boolean => {
    if (key === 'Enter' || key === ' ') editing.choose(block._id);
    else if (key === 'Delete' || key === 'Backspace') editing.remove(block);
    else if (key === 'd') editing.double(block);
    else return false;
    return true;
  };
  return (
    <>
      <div class="report-bar">
        <Button class="dash-add" {...(blocks.length === 0 && { look: 'main' as const })} icon="plus" onClick={onAdding}>
          {text.add}
        </Button>
      </div>
      <p id="report-keys" class={blocks.length > 0 ? 'dash-keys' : 'unseen'}>
        {text.sheetKeys}
      </p>
      {blocks.length === 0 && (
        <EmptyState icon="file" title={text.nothing}>
          {text.nothingText}
        </EmptyState>
      )}
      {blocks.length > 0 && (
        <Sheet
          blocks={blocks}
          paper={paper}
          chosenId={editing.chosenId}
          wrong={wrong}
          labelOf={placeOfBlock}
          onChoose={editing.choose}
          onPlaced={editing.put}
          onKey={onKey}
          describedBy="report-keys"
        />
      )}
    </>
  );
}

type ChosenPanelProps = Pick<Parameters<typeof BlockPanel>[0], 'block' | 'fields' | 'found'> & {
  readonly report: EditedReport;
  readonly editing: Blocks;
  readonly refusal: Refusal | undefined;
  readonly onAdding: (adding: Adding) => void;
};

function ChosenPanel({ block, fields, report, editing, refusal, found, onAdding }: ChosenPanelProps) {
  return (
    <BlockPanel
      block={block}
      name={nameOfBlock(block)}
      fields={fields}
      paper={report.paper}
      links={report.links.map(({ name = '' }) => name)}
      refusal={refusal}
      found={found}
      onChange={report.put}
      onClose={editing.close}
      onDouble={() => editing.double(block)}
      onRemove={() => editing.remove(block)}
      onAddInside={() => onAdding({ kind: 'add', inside: block._id })}
    />
  );
}

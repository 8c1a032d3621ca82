import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { reportAddress } from '../../data/addresses.ts';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import { draggedNode, isNodeDrag } from '../../data/nodes/node-drag.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import type { Block, BlockType } from '../../data/pages/reports.ts';
import { newTileId } from '../../data/pages/tiles.ts';
import { schemas } from '../../data/requests/schemas.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { DraftHead, DraftTrouble } from '../../parts/draft-head.tsx';
import { ShareDialog } from '../../parts/share-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import type { Schemas } from '../../ui/form/index.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { loadAttributeWords } from '../../words/attributes.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { AddBlock } from './add-block.tsx';
import { BlockPanel } from './block/panel.tsx';
import { blockKey, findBlock, geometryOf, linkName, newBlock, outerOf, placeAt } from './document.ts';
import { reportFields, reportWords } from './fields.ts';
import { Links, PaperPanel } from './paper-panel.tsx';
import { Preview, usePrinted } from './preview.tsx';
import { Sending } from './sending.tsx';
import { Sheet } from './sheet.tsx';
import { useReport } from './use-report.ts';
import { say } from './words.ts';

type EditorProps = { readonly node: Node; readonly tab: 'paper' | 'sending' };
type Open = { readonly kind: 'add'; readonly inside?: string } | { readonly kind: 'share' };

/** docs/reference/limits.md */
const MOST_BLOCKS = 500;
/** A name of a block in lists. */
const MOST_SIGNS = 40;

/** The room of a report that is being made. */
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
        words={{ ...reportWords(), label: (name) => labelOfChange(name, blocks) }}
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
        <PaperDesk node={node} report={report} open={open} setOpen={setOpen} />
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

  /** The name of a changed part for people. */
  function labelOfChange(name: string, all: readonly Block[]): string {
    const block = all.find(({ _id }) => blockKey(_id) === name);
    if (block) return text.block(nameOfBlock(block));
    return name.startsWith('block ')
      ? text.block('')
      : name === 'links'
        ? text.nodes(links.length)
        : reportWords().label(name);
  }
}

type DeskProps = {
  readonly node: Node;
  readonly report: ReturnType<typeof useReport>;
  readonly open: Open | undefined;
  readonly setOpen: (open: Open | undefined) => void;
};

/** The paper, what is set of the chosen block, and how it is printed. */
function PaperDesk({ node, report, open, setOpen }: DeskProps) {
  const text = say();
  const { document, blocks, paper, links, refusal } = report;
  const [chosenId, setChosen] = useState<string>();
  const [said, setSaid] = useState('');
  const [page, setPage] = useState(1);
  const [nowTime, setNow] = useState('');
  const room = useRef<HTMLElement>(null);
  const known = useAsked(async () => (await Promise.all([schemas(), loadAttributeWords()]))[0], [language.value]);
  const fields = useMemo(() => known.value && reportFields(known.value as Schemas), [known.value]);
  const { printed, again, cancel } = usePrinted(node._id, document, blocks, { nowTime, page, isOn: true });
  const count = printed.last?.pageCount ?? 0;
  useEffect(() => {
    if (count > 0 && page > count) setPage(1);
  }, [count]);
  // A block that the server refused is where the person looks first.
  useLayoutEffect(() => {
    if (refusal?.blockId !== undefined) setChosen(refusal.blockId);
  }, [refusal]);
  const chosen = report.find(chosenId);
  const linkNames = links.map(({ name = '' }) => name);
  const refused = refusal ?? printed.refusal;
  const found = useMemo(() => {
    const all = new Map<string, Map<string, string>>();
    for (const { at, message } of printed.last?.problems ?? []) {
      const place = placeAt(at, blocks);
      if (place) all.set(place.block._id, (all.get(place.block._id) ?? new Map()).set(place.path, message));
    }
    return all;
  }, [printed.last]);
  const wrong = new Set([...found.keys(), ...(refused?.blockId === undefined ? [] : [refused.blockId])]);
  const labelOf = (block: Block) => text.blockAt(text.types[block.type], text.areas[block.area], block.x, block.y);

  const add = (type: BlockType, node?: DraggedNode, inside?: string) => {
    if (blocks.length >= MOST_BLOCKS) return toast(text.full(MOST_BLOCKS), { isBad: true });
    const link = node && links.find(({ nodeId }) => nodeId === node._id);
    const name = node && (link?.name ?? linkName(node.name, linkNames));
    const more = node && !link ? { links: [...links, { nodeId: node._id, name }] } : {};
    const frame = inside === undefined ? undefined : findBlock(inside, blocks);
    const width = frame ? frame.width || 400 : (geometryOf(paper).areas.CONTENT?.width ?? 500);
    const made = newBlock(type, frame ? (frame.elements ?? []) : blocks, name, width);
    if (frame) {
      const block = { ...made, x: 10, y: Math.min(made.y + 5, Math.max(frame.height - 20, 5)) };
      report.edit({ ...more, [blockKey(frame._id)]: { ...frame, elements: [...(frame.elements ?? []), block] } });
    } else report.add(made, more);
    setChosen(made._id);
    setSaid(`${text.added(nameOfBlock(made))} ${labelOf(made)}`);
  };
  const focusBlock = (id: string | undefined) =>
    requestAnimationFrame(() =>
      (
        room.current?.querySelector<HTMLElement>(`[data-block="${id}"]`) ??
        room.current?.querySelector<HTMLElement>('.dash-add')
      )?.focus(),
    );
  const remove = (block: Block) => {
    const at = blocks.indexOf(block);
    const next = at < 0 ? outerOf(block._id, blocks) : (blocks[at + 1] ?? blocks[at - 1]);
    report.remove(block._id);
    setChosen(undefined);
    setSaid(text.removed(nameOfBlock(block)));
    toast(text.removed(nameOfBlock(block)), { action: { label: text.undo, run: report.undo } });
    focusBlock(next?._id);
  };
  const double = (block: Block) => {
    if (blocks.length >= MOST_BLOCKS) return toast(text.full(MOST_BLOCKS), { isBad: true });
    const copy = renewed(block);
    const outer = outerOf(block._id, blocks);
    if (outer && outer._id !== block._id)
      report.edit({ [blockKey(outer._id)]: { ...outer, elements: [...(outer.elements ?? []), copy] } });
    else report.add(copy);
    setChosen(copy._id);
    setSaid(`${text.added(nameOfBlock(copy))} ${labelOf(copy)}`);
  };
  const onKey = (block: Block, { key }: KeyboardEvent): boolean => {
    if (key === 'Enter' || key === ' ') setChosen(block._id);
    else if (key === 'Delete' || key === 'Backspace') remove(block);
    else if (key === 'd') double(block);
    else return false;
    return true;
  };
  const problems = (printed.last?.problems ?? []).map(({ at, message }) => {
    const place = placeAt(at, blocks);
    return {
      text: place ? `${text.block(nameOfBlock(place.block))}: ${message}` : message,
      run: place && (() => setChosen(place.block._id)),
    };
  });
  return (
    <section
      ref={room}
      aria-label={text.tabPaper}
      class={chosen ? 'report-desk has-panel' : 'report-desk'}
      onDragOver={(event) => {
        if (isNodeDrag(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        const dropped = draggedNode(event);
        if (!dropped) return;
        event.preventDefault();
        add(/\.point\.|\.chart\.|Attachment/.test(dropped._class) ? 'IMAGE' : 'TEXT', dropped);
      }}
    >
      <div class="report-left">
        <div class="report-bar">
          <Button
            class="dash-add"
            {...(blocks.length === 0 && { look: 'main' as const })}
            icon="plus"
            onClick={() => setOpen({ kind: 'add' })}
          >
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
            chosenId={chosenId}
            wrong={wrong}
            labelOf={labelOf}
            onChoose={setChosen}
            onPlaced={(block) => {
              report.put(block, `${block._id} place`);
              setSaid(`${nameOfBlock(block)}: ${labelOf(block)}`);
            }}
            onKey={onKey}
            describedBy="report-keys"
          />
        )}
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
          <BlockPanel
            key={chosen._id}
            block={chosen}
            name={nameOfBlock(chosen)}
            fields={fields}
            paper={paper}
            links={linkNames}
            refusal={refused?.blockId === chosen._id ? refused : undefined}
            found={found.get(chosen._id) ?? NOTHING}
            onChange={report.put}
            onClose={() => {
              setChosen(undefined);
              focusBlock(chosen._id);
            }}
            onDouble={() => double(chosen)}
            onRemove={() => remove(chosen)}
            onAddInside={() => setOpen({ kind: 'add', inside: chosen._id })}
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
        problems={problems}
        onPage={setPage}
        onNow={setNow}
        again={again}
        cancel={cancel}
      />
      <p class="unseen" aria-live="polite">
        {said}
      </p>
      {open?.kind === 'add' && (
        <AddBlock
          workspaceId={String(node.workspaceId ?? '')}
          isInside={open.inside !== undefined}
          onClose={() => setOpen(undefined)}
          onAdd={(type, dropped) => {
            setOpen(undefined);
            add(type, dropped, open.inside);
          }}
        />
      )}
    </section>
  );
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Copies a block with new ids, a little lower. */
const renewed = (block: Block): Block => ({
  ...block,
  _id: newTileId(),
  y: block.y + 20,
  ...(block.elements && { elements: block.elements.map((element) => ({ ...element, _id: newTileId() })) }),
});

/** A block is named by what it says. */
function nameOfBlock(block: Block): string {
  const content = (block.content || block.source || '').replace(/\s+/g, ' ').trim();
  return content === ''
    ? say().types[block.type]
    : content.length > MOST_SIGNS
      ? `${content.slice(0, MOST_SIGNS)}…`
      : content;
}

/** Says what two people have changed, as people know it. */
function saidOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('type' in value)) return value;
  if (!('_id' in value)) return value;
  const { type, _id, ...block } = value as Block;
  return { type: say().types[type], ...block };
}

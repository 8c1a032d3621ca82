import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import type { Block, BlockType } from '../../data/pages/reports.ts';
import { newTileId } from '../../data/pages/tiles.ts';
import { toast } from '../../ui/toast.tsx';
import { nameOfBlock, placeOfBlock } from './block-words.ts';
import { blockKey, findBlock, geometryOf, linkName, newBlock, outerOf } from './document.ts';
import type { EditedReport } from './use-report.ts';
import { say } from './words.ts';

/** docs/reference/limits.md */
const MOST_BLOCKS = 500;

export type Blocks = ReturnType<typeof useBlocks>;

/** Holds which block of a report is chosen and what was said of it; and adds, places and removes blocks. */
export function useBlocks(report: EditedReport) {
  const text = say();
  const { blocks, paper, links, refusal } = report;
  const [chosenId, choose] = useState<string>();
  const [said, setSaid] = useState('');
  const room = useRef<HTMLElement>(null);
  // A block that the server refused is where the person looks first.
  useLayoutEffect(() => {
    if (refusal?.blockId !== undefined) choose(refusal.blockId);
  }, [refusal]);
  const shown = (block: Block) => {
    choose(block._id);
    setSaid(`${text.added(nameOfBlock(block))} ${placeOfBlock(block)}`);
  };
  const focusBlock = (id: string | undefined) =>
    requestAnimationFrame(() =>
      (
        room.current?.querySelector<HTMLElement>(`[data-block="${id}"]`) ??
        room.current?.querySelector<HTMLElement>('.dash-add')
      )?.focus(),
    );
  const add = (type: BlockType, node?: DraggedNode, inside?: string) => {
    if (blocks.length >= MOST_BLOCKS) return toast(text.full(MOST_BLOCKS), { isBad: true });
    const link = node && links.find(({ nodeId }) => nodeId === node._id);
    const taken = links.map(({ name = '' }) => name);
    const name = node && (link?.name ?? linkName(node.name, taken));
    const more = node && !link ? { links: [...links, { nodeId: node._id, name }] } : {};
    const frame = inside === undefined ? undefined : findBlock(inside, blocks);
    const width = frame ? frame.width || 400 : (geometryOf(paper).areas.CONTENT?.width ?? 500);
    const made = newBlock(type, frame ? (frame.elements ?? []) : blocks, name, width);
    if (frame) {
      const block = { ...made, x: 10, y: Math.min(made.y + 5, Math.max(frame.height - 20, 5)) };
      report.edit({ ...more, [blockKey(frame._id)]: { ...frame, elements: [...(frame.elements ?? []), block] } });
    } else report.add(made, more);
    shown(made);
  };
  const remove = (block: Block) => {
    const at = blocks.indexOf(block);
    const next = at < 0 ? outerOf(block._id, blocks) : (blocks[at + 1] ?? blocks[at - 1]);
    report.remove(block._id);
    choose(undefined);
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
    shown(copy);
  };
  const put = (block: Block) => {
    report.put(block, `${block._id} place`);
    setSaid(`${nameOfBlock(block)}: ${placeOfBlock(block)}`);
  };
  const close = () => {
    choose(undefined);
    focusBlock(chosenId);
  };
  return { room, chosenId, chosen: report.find(chosenId), choose, close, said, add, put, remove, double };
}

/** Copies a block with new ids, a little lower. */
const renewed = (block: Block): Block => ({
  ...block,
  _id: newTileId(),
  y: block.y + 20,
  ...(block.elements && { elements: block.elements.map((element) => ({ ...element, _id: newTileId() })) }),
});

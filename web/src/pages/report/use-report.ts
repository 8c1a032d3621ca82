import { useMemo } from 'preact/hooks';
import type { Node } from '../../data/nodes/nodes.ts';
import type { Block } from '../../data/pages/reports.ts';
import { type DraftKind, useKeptDraft } from '../../parts/kept-draft.ts';
import {
  blockKey,
  blocksOf,
  bodyOf,
  documentOf,
  findBlock,
  linksOf,
  outerOf,
  paperOf,
  placeAt,
  within,
} from './document.ts';

/** The fault is of a block that was refused; without a block, of the report. */
export type Refusal = { readonly message: string; readonly blockId?: string; readonly path?: string };

const REPORT: DraftKind = { key: 'report', documentOf: (node) => documentOf(node as never), bodyOf };

/** Holds a report while it is edited. */
export function useReport(node: Node) {
  const draft = useKeptDraft(node, REPORT);
  const { document, refusal: refused } = draft;
  const blocks = useMemo(() => blocksOf(document), [document]);
  const refusal = useMemo((): Refusal | undefined => refused && refusalAt(refused, blocks), [refused]);
  const change = (id: string, next: Block | null, about = '') => {
    const outer = outerOf(id, blocks);
    if (!outer) return;
    draft.edit({ [blockKey(outer._id)]: within(outer, id, next) }, about);
  };
  return {
    ...draft,
    blocks,
    refusal,
    paper: useMemo(() => paperOf(document), [document]),
    links: linksOf(document),
    find: (id: string | undefined) => findBlock(id, blocks),
    add: (block: Block, more: Readonly<Record<string, unknown>> = {}) =>
      draft.edit({ [blockKey(block._id)]: block, ...more }),
    put: (block: Block, about?: string) => change(block._id, block, about),
    remove: (id: string) => change(id, null),
  };
}

export type EditedReport = ReturnType<typeof useReport>;

/** Finds the block of a refusal such as `template.elements[3].content: must be …`. */
export function refusalAt(
  { message, path }: { readonly message: string; readonly path?: string },
  blocks: readonly Block[],
): Refusal {
  if (path === undefined) return { message };
  const place = placeAt(path, blocks);
  return place ? { message, blockId: place.block._id, path: place.path } : { message, path };
}

import type { Block } from '../../data/pages/reports.ts';
import { blockKey } from './document.ts';
import { reportWords } from './fields.ts';
import { say } from './words.ts';

/** Names of blocks in lists are no longer. */
const MOST_SIGNS = 40;

/** A block is named by what it says. */
export function nameOfBlock(block: Block): string {
  const content = (block.content || block.source || '').replace(/\s+/g, ' ').trim();
  return content === ''
    ? say().types[block.type]
    : content.length > MOST_SIGNS
      ? `${content.slice(0, MOST_SIGNS)}…`
      : content;
}

/** Says what a block is, and where. */
export const placeOfBlock = ({ type, area, x, y }: Block): string =>
  say().blockAt(say().types[type], say().areas[area], x, y);

/** The name of a changed part for people. */
export function labelOfChange(name: string, blocks: readonly Block[], linkCount: number): string {
  const text = say();
  const block = blocks.find(({ _id }) => blockKey(_id) === name);
  if (block) return text.block(nameOfBlock(block));
  return name.startsWith('block ')
    ? text.block('')
    : name === 'links'
      ? text.nodes(linkCount)
      : reportWords().label(name);
}

/** Says what two people have changed, as people know it. */
export function saidOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('type' in value)) return value;
  if (!('_id' in value)) return value;
  const { type, _id, ...block } = value as Block;
  return { type: say().types[type], ...block };
}

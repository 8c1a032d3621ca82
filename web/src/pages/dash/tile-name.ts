import type { BoardTile } from '../../data/pages/tiles.ts';
import { say } from './words.ts';

/** Names a tile as people call it: by its label, else by what it shows. */
export const tileName = ({ label, links, type }: BoardTile): string =>
  label || links[0]?.name || say().types[type] || type;

import type { Words } from '../en.ts';

export const tree: Words['tree'] = {
  title: 'Knoten',
};

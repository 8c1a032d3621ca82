import type { Words } from '../en.ts';

export const node: Words['node'] = {
  title: 'Knoten',
};

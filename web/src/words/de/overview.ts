import type { Words } from '../en.ts';

export const overview: Words['overview'] = {
  title: 'Überblick',
};

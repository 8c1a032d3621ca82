import type { Words } from '../en.ts';

export const events: Words['events'] = {
  title: 'Ereignisse',
};

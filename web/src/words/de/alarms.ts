import type { Words } from '../en.ts';

export const alarms: Words['alarms'] = {
  title: 'Alarme',
};

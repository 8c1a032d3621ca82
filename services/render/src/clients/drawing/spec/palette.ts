import { FONT_STACK } from '../fonts/text-width.ts';

export const FONT = FONT_STACK;

export const COLORS = {
  background: '#ffffff',
  text: '#333333',
  quietText: '#6b7280',
  grid: '#e5e7eb',
  axis: '#9ca3af',
  threshold: '#808080',
  alarm: '#d62728',
  warning: '#e08a00',
  calms: '#9ca3af',
} as const;

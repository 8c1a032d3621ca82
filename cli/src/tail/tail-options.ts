import type { ApiOptions } from '../api/api-options.ts';
import type { JsonOption } from '../command-line/answer.ts';

export const EVENT_TYPES = [
  'ALARM',
  'ACQUISITION',
  'CONFIGURATION',
  'STATE',
  'NOTIFICATION',
  'CONTROL',
  'SECURITY',
] as const;

type TailOptions = ApiOptions & JsonOption & { readonly follow: boolean; readonly lines: number };
export type EventOptions = TailOptions & {
  readonly type: readonly (typeof EVENT_TYPES)[number][];
  readonly filter?: string;
};
export type RecordOptions = TailOptions & { readonly tz?: string; readonly every: number };

import type { ApiOptions } from '../api/api-options.ts';
import type { JsonOption } from '../command-line/answer.ts';

export const MODES = [
  'MERGE_OVERWRITE_EXISTING',
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'DISCARD',
] as const;

export type WriteOptions = ApiOptions &
  JsonOption & {
    readonly tz?: string;
    readonly column: readonly string[];
    readonly missing: readonly string[];
    readonly mode: (typeof MODES)[number];
    readonly notifyOn: string;
    readonly wait: 'durable' | 'readable';
    readonly batch: number;
    readonly strict: boolean;
    readonly quiet: boolean;
  };

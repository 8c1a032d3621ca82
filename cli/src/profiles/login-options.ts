import type { JsonOption } from '../command-line/answer.ts';

export type LoginOptions = JsonOption & { readonly url?: string; readonly profile: string; readonly default: boolean };

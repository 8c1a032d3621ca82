import { keepTab, readTab } from '../tab-storage.ts';
import type { Draft } from './draft.ts';

/** Reads what was typed: it survives a reload, and a session that has ended, for as long as the tab lives. */
export const readKept = (key: string): Draft | undefined => readTab(key) as Draft | undefined;

export const keep = (key: string, draft: Draft): void =>
  keepTab(key, Object.keys(draft.changes).length === 0 ? undefined : draft);

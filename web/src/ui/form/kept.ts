import type { Draft } from './draft.ts';

/** What was typed survives a reload, and a session that has ended, for as long as the tab lives. */
export function readKept(key: string): Draft | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as Draft);
  } catch {
    return undefined;
  }
}

export function keep(key: string, draft: Draft): void {
  try {
    if (Object.keys(draft.changes).length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Without storage, or without room in it, the draft lasts as long as the page.
  }
}

/**
 * Reads what is kept for as long as the tab lives: over a reload, and over a session that has ended. @returns undefined where there is
 * nothing, or nothing that can be read
 */
export function readTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param value undefined: nothing is kept. Without storage, or without room in it, it lasts as long as the page. */
export function keepTab(key: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page has it still.
  }
}

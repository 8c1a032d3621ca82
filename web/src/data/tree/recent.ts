import { signal } from '@preact/signals';
import type { Found } from '../nodes/search.ts';
import { start } from '../session/session.ts';

const KEY = () => `recent of ${start().account.id}`;
const MOST = 8;

/** This browser opened these nodes last, the newest first. */
const recentNodes = signal<readonly Found[] | undefined>(undefined);

export function readRecent(): readonly Found[] {
  recentNodes.value ??= stored();
  return recentNodes.value;
}

export function rememberNode({ _id, _class, name, path }: Found): void {
  recentNodes.value = [{ _id, _class, name, path }, ...readRecent().filter((node) => node._id !== _id)].slice(0, MOST);
  try {
    localStorage.setItem(KEY(), JSON.stringify(recentNodes.value));
  } catch {
    // It lasts as long as the page.
  }
}

function stored(): readonly Found[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEY()) ?? '[]');
    return Array.isArray(all)
      ? all.filter((entry) => typeof entry?._id === 'string' && typeof entry.name === 'string')
      : [];
  } catch {
    return [];
  }
}

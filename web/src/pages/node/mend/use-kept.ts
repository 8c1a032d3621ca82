import { useEffect, useRef, useState } from 'preact/hooks';
import { start } from '../../../data/session/session.ts';
import { changesOf } from './changes.ts';
import type { Coding } from './coding.ts';
import { type Kept, keptOf, packed } from './kept.ts';
import type { Records, Work } from './records.ts';

/** Changes follow each other: the last of them is kept. */
const REST_MS = 400;

const keyOf = (nodeId: string): string => `mend:${start().account.slug}:${nodeId}`;

export function readWork(nodeId: string): Kept | undefined {
  try {
    return keptOf(sessionStorage.getItem(keyOf(nodeId)));
  } catch {
    return undefined;
  }
}

function forgetWork(nodeId: string): void {
  try {
    sessionStorage.removeItem(keyOf(nodeId));
  } catch {
    // Nothing was kept where there is no storage.
  }
}

export type Keeping = {
  /** There is room for it. */
  readonly hasRoom: boolean;
  /** Keeps nothing of what there is now. */
  readonly forget: () => void;
};

/** Keeps what is not saved in this tab: once it rests, and at once where the page is left before. */
export function useKept(
  nodeId: string,
  range: { readonly start: number; readonly end: number },
  base: Records,
  work: Work,
  coding: Coding,
): Keeping {
  const [hasRoom, setRoom] = useState(true);
  /** This is not kept yet. */
  const pending = useRef<{ readonly base: Records; readonly work: Work } | undefined>(undefined);
  useEffect(() => {
    const flush = () => {
      const last = pending.current;
      pending.current = undefined;
      if (!last) return;
      if (changesOf(last.base, last.work).places.length === 0) forgetWork(nodeId);
      else store(nodeId, [...packed(range, last.base, last.work, coding)].join(''));
    };
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, []);
  useEffect(() => {
    let isOver = false;
    pending.current = { base, work };
    const keep = async () => {
      if (changesOf(base, work).places.length === 0) {
        pending.current = undefined;
        return forgetWork(nodeId);
      }
      const pieces: string[] = [];
      for (const piece of packed(range, base, work, coding)) {
        pieces.push(piece);
        // The page draws between two pieces.
        await new Promise((resolve) => setTimeout(resolve));
        if (isOver) return;
      }
      if (pending.current?.work === work) pending.current = undefined;
      setRoom(store(nodeId, pieces.join('')));
    };
    const timer = setTimeout(() => void keep(), REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [base, work]);
  const forget = () => {
    pending.current = undefined;
    forgetWork(nodeId);
  };
  return { hasRoom, forget };
}

/** @returns whether there was room */
function store(nodeId: string, text: string): boolean {
  try {
    sessionStorage.setItem(keyOf(nodeId), text);
    return true;
  } catch {
    forgetWork(nodeId);
    return false;
  }
}

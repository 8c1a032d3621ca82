import { useEffect, useState } from 'preact/hooks';
import { start } from '../../../data/session.ts';
import { changesOf } from './changes.ts';
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

export function forgetWork(nodeId: string): void {
  try {
    sessionStorage.removeItem(keyOf(nodeId));
  } catch {
    // Without storage nothing was kept.
  }
}

/** Keeps what is not saved in this tab. @returns whether there is room for it */
export function useKept(
  nodeId: string,
  range: { readonly start: number; readonly end: number },
  base: Records,
  work: Work,
): boolean {
  const [hasRoom, setRoom] = useState(true);
  useEffect(() => {
    let isOver = false;
    const keep = async () => {
      if (changesOf(base, work).places.length === 0) return forgetWork(nodeId);
      const pieces: string[] = [];
      for (const piece of packed(range, base, work)) {
        pieces.push(piece);
        // The page draws between two pieces.
        await new Promise((resolve) => setTimeout(resolve));
        if (isOver) return;
      }
      try {
        sessionStorage.setItem(keyOf(nodeId), pieces.join(''));
        setRoom(true);
      } catch {
        forgetWork(nodeId);
        setRoom(false);
      }
    };
    const timer = setTimeout(() => void keep(), REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [base, work]);
  return hasRoom;
}

import { CatchmentError } from '@catchment/client';
import { onWake } from './connection.ts';

/** A stream is followed from behind a place, if there is one, and each new place is reported. */
export type Following = {
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  readonly onPlace: (id: string) => void;
};
type Stream = {
  readonly follow: (following: Following) => Promise<void>;
  /** Reading begins behind this place; empty: none is known. */
  readonly from: string;
  /** Is called with a first place where none is known, or none that the server knows: what happened before it cannot be had. */
  readonly onLost: () => void;
  /** Returns true when nothing more is followed. */
  readonly isOver: () => boolean;
};

const AGAIN_MS = 5_000;

/** The client gives up after some tries; a page that stays open does not, and goes on where it was. */
export async function followForever({ follow, from, onLost, isOver }: Stream): Promise<void> {
  let after = from === '' ? undefined : from;
  let stop = new AbortController();
  let goOn = () => {};
  onWake(() => {
    stop.abort();
    goOn();
  });
  const onPlace = (id: string) => {
    const isFirst = after === undefined;
    after = id;
    if (isFirst) onLost();
  };
  for (;;) {
    stop = new AbortController();
    await follow({ after, signal: stop.signal, onPlace }).catch((error: unknown) => {
      if (error instanceof CatchmentError && error.reason === 'INVALID_CURSOR') after = undefined;
    });
    // A person who has no access any more would only be refused again.
    if (isOver()) return;
    if (stop.signal.aborted) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      setTimeout(resolve, AGAIN_MS);
    });
  }
}

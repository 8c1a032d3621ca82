import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { type Box, keyStep, pointerStep, type Scale, valueAt } from './frame.ts';
import { keyed } from './handles.ts';
import type { FormState } from './list.ts';
import { type Placed, placed, reachOf } from './order.ts';

type MovesParts = {
  readonly states: readonly FormState[];
  readonly statesType: unknown;
  readonly isReadOnly: boolean;
  readonly box: Box | undefined;
  readonly scale: Scale | undefined;
  /** Lies over the chart. */
  readonly room: RefObject<HTMLElement | null>;
  /** Hears where a threshold was moved to, while it is being moved and at last. */
  readonly onPlace: (index: number, at: Placed, isDone: boolean) => void;
};

export type Moves = ReturnType<typeof useMoves>;

/** Moves thresholds by mouse, finger and keys. */
export function useMoves({ states, statesType, isReadOnly, box, scale, room, onPlace }: MovesParts) {
  const [dragged, setDragged] = useState<number>();
  const thresholdOf = (index: number) => states[index]!.threshold as number;

  /** A pointer went down on the line or on the handle of a threshold; the handle takes it. */
  const drag = (index: number, handle: HTMLElement, event: PointerEvent) => {
    if (isReadOnly || event.button !== 0 || !box || !scale) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const under = ({ clientY }: PointerEvent) =>
      valueAt(clientY - room.current!.getBoundingClientRect().top, box, scale);
    // The handle stays under the pointer where it was taken.
    const slack = thresholdOf(index) - under(event);
    const fine = pointerStep(box, scale);
    const stop = new AbortController();
    let last: Placed | undefined;
    setDragged(index);
    const { signal } = stop;
    handle.addEventListener(
      'pointermove',
      (event) => {
        last = placed(states, statesType, index, under(event) + slack, fine);
        onPlace(index, last, false);
      },
      { signal },
    );
    const end = (isKept: boolean) => () => {
      stop.abort();
      setDragged(undefined);
      if (last) onPlace(index, isKept ? last : { threshold: thresholdOf(index) }, true);
    };
    handle.addEventListener('pointerup', end(true), { signal });
    handle.addEventListener('pointercancel', end(false), { signal });
  };

  const press = (index: number, event: KeyboardEvent) => {
    const by = event.ctrlKey || event.metaKey || event.altKey ? undefined : keyed(event.key, event.shiftKey);
    if (isReadOnly || by === undefined || !scale) return;
    event.preventDefault();
    event.stopPropagation();
    const step = keyStep(scale);
    const { above, below } = reachOf(states, statesType, index);
    const wanted =
      by === 'least'
        ? (below?.threshold ?? scale.low)
        : by === 'most'
          ? (above?.threshold ?? scale.high)
          : thresholdOf(index) + by * step;
    onPlace(index, placed(states, statesType, index, wanted, step), true);
  };
  return { dragged, drag, press };
}

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** This many rows beyond the edges are drawn ahead of a movement. */
const OVERSCAN = 8;
/** The table is drawn in this before the size is known. */
const FIRST_RECT = { width: 800, height: 600 };

export type VirtualRows = {
  readonly items: readonly { readonly index: number; readonly start: number }[];
  readonly height: number;
  /** Returns whether the row of an index is drawn: one that is not may not be named as the active one. */
  readonly isDrawn: (index: number) => boolean;
  readonly scrollTo: (index: number) => void;
};

/** Tells which rows of many are drawn: those that are seen, and some beside them. All rows are of one height. */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  headHeight: number,
): VirtualRows {
  const [, draw] = useReducer((n: number, _by: number) => n + 1, 0);
  const made = useRef<Virtualizer<HTMLElement, HTMLElement> | undefined>(undefined);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    // The head stays above the rows that are scrolled to.
    scrollPaddingStart: headHeight,
    scrollMargin: headHeight,
    initialRect: FIRST_RECT,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    // Otherwise a timer is set anew in each frame.
    useScrollendEvent: true,
    onChange: () => draw(0),
  };
  made.current ??= new Virtualizer(options);
  const virtual = made.current;
  const before = useRef(rowHeight);
  virtual.setOptions(options);
  useLayoutEffect(() => {
    if (before.current !== rowHeight) virtual.measure();
    before.current = rowHeight;
  }, [virtual, rowHeight]);
  useEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  const items = virtual.getVirtualItems();
  return {
    items: items.map(({ index, start }) => ({ index, start: start - headHeight })),
    height: virtual.getTotalSize(),
    isDrawn: (wanted) => items.some(({ index }) => index === wanted),
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}

import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export type Size = { readonly width: number; readonly height: number };

/** The size of an element in whole pixels, once it has not changed for `restMs`; undefined until it is known. */
export function useSize(of: RefObject<HTMLElement | null>, restMs: number): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || height === 0) return;
      setSize((known) => (known?.width === width && known.height === height ? known : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(measure, restMs);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [of, restMs]);
  return size;
}

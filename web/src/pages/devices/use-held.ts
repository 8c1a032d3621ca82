import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

type Holding<T> = {
  readonly value: ReadonlySignal<T>;
  readonly release: () => void;
  readonly reload?: () => void;
};

/** Holds something for as long as the component is there, anew when the key is another. */
export function useHeld<T>(
  hold: () => Holding<T>,
  key: string,
): { readonly value: T | undefined; readonly reload: () => void } {
  const [holding, setHolding] = useState<Holding<T>>();
  useEffect(() => {
    const held = hold();
    setHolding(held);
    return () => held.release();
  }, [key]);
  return { value: holding?.value.value, reload: () => holding?.reload?.() };
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Held, holdNode } from './nodes.ts';

/** Holds a node for as long as the component shows it, kept current. */
export function useNode(id: string): Held {
  const shown = useSignal<Held>({ kind: 'loading' });
  useEffect(() => {
    const { value, release } = holdNode(id);
    const stop = value.subscribe((held) => {
      shown.value = held;
    });
    return () => {
      stop();
      release();
    };
  }, [id]);
  return shown.value;
}

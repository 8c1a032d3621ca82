import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../../../data/addresses.ts';
import { toast } from '../../../../ui/toast.tsx';
import { say } from '../words.ts';
import { useLeave } from './use-leave.ts';

type UnsavedParts = {
  readonly nodeId: string;
  /** This many changes are not saved. */
  readonly count: number;
  readonly forget: () => void;
  readonly onUnsaved: (isUnsaved: boolean) => void;
};

export type Unsaved = ReturnType<typeof useUnsaved>;

/** Asks who leaves the page with changes that are not saved, and reminds of those that are kept. */
export function useUnsaved({ nodeId, count, forget, onUnsaved }: UnsavedParts) {
  const text = say();
  const { route } = useLocation();
  useEffect(() => onUnsaved(count > 0), [count > 0]);
  const { target, stay, allow } = useLeave(count > 0);
  const unsaved = useRef(count);
  unsaved.current = count;
  useEffect(
    () => () => {
      if (unsaved.current === 0) return;
      const address = nodeAddress(nodeId, 'mend');
      toast(text.waits(unsaved.current), { action: { label: text.goBack, run: () => route(address) } });
    },
    [],
  );
  return {
    count,
    isLeaving: target !== undefined,
    stay,
    leave: () => {
      allow();
      route(target!);
    },
    discardAndLeave: () => {
      allow();
      forget();
      unsaved.current = 0;
      route(target!);
    },
  };
}

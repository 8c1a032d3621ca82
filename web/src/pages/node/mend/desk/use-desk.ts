import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Node } from '../../../../data/nodes/nodes.ts';
import type { Range } from '../../../../data/records/mend.ts';
import { type Qualities, qualities } from '../../../../data/records/quality.ts';
import { may } from '../../../../data/session/rights.ts';
import { toast } from '../../../../ui/toast.tsx';
import { type Action, acted } from '../actions.ts';
import { changesOf } from '../changes.ts';
import type { Coding } from '../coding.ts';
import { type Records, type Work, workOf } from '../records.ts';
import { countOf, type Joining, joined, type Mask, nothing } from '../selections.ts';
import type { Tool } from '../tools/tool.ts';
import { useKept } from '../use-kept.ts';
import { say } from '../words.ts';
import { transformOf } from './node-values.ts';
import { useSteps } from './use-steps.ts';
import { useUnsaved } from './use-unsaved.ts';

export type DeskProps = {
  readonly node: Node;
  readonly range: Range;
  readonly coding: Coding;
  readonly base: Records;
  readonly work: Work;
  readonly onUnsaved: (isUnsaved: boolean) => void;
};

export type DeskState = ReturnType<typeof useDesk>;

/** Holds the records, which of them are chosen, the form that is open and what was said; and changes them. */
export function useDesk({ node, range, coding, base: firstBase, work: firstWork, onUnsaved }: DeskProps) {
  const text = say();
  const steps = useSteps(firstBase, firstWork);
  const { base, work, mask } = steps;
  const [joining, setJoining] = useState<Joining>('replace');
  const [tool, setTool] = useState<Tool>();
  const [said, setSaid] = useState('');
  const [known, setKnown] = useState<Qualities>();
  useEffect(() => {
    void qualities().then(setKnown);
  }, []);
  const changes = useMemo(() => changesOf(base, work), [base, work]);
  const chosen = useMemo(() => countOf(mask), [mask]);
  const { hasRoom, forget } = useKept(node._id, range, base, work, coding);
  const unsaved = useUnsaved({ nodeId: node._id, count: changes.places.length, forget, onUnsaved });
  const transform = transformOf(node);
  const mayEdit = may('EDIT_DATA', node);

  const choose = (next: Mask) => {
    setSaid('');
    steps.mark(next);
  };
  /** @returns how many rows were found */
  const find = (rows: Mask): number => {
    choose(joined(mask, rows, joining));
    return countOf(rows);
  };
  const act = (action: Action) => {
    if (chosen === 0) {
      setSaid(text.chooseFirst);
      return;
    }
    const { work: next, left } = acted(base, work, mask, action);
    // A record that is deleted is chosen no more.
    steps.take({ work: next, mask: action.kind === 'delete' ? nothing(next) : mask });
    setTool(undefined);
    setSaid(left > 0 ? text.left(left) : '');
  };
  const discard = () => {
    forget();
    // Discarding is a step, and can be taken back.
    steps.take({ work: workOf(base), mask: nothing(base) });
    toast(text.discarded, { action: { label: text.takeBack, run: steps.undo } });
  };
  return {
    ...steps,
    node,
    range,
    coding,
    transform,
    mayEdit,
    mayValue: mayEdit && transform !== undefined,
    isNumber: coding.kind === 'number',
    qualities: known,
    changes,
    chosen,
    hasRoom,
    unsaved,
    joining,
    setJoining,
    tool,
    setTool,
    said,
    setSaid,
    choose,
    find,
    act,
    discard,
  };
}

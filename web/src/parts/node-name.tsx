import { nodeAddress, type Tab } from '../data/addresses.ts';
import { useNode } from '../data/nodes/use-node.ts';
import { say } from './files/words.ts';

/** Returns undefined where it is not known yet, or there is no such node to be seen. */
export function useNodeName(id: string): string | undefined {
  const held = useNode(id);
  return (held.kind === 'ready' ? held.node : 'last' in held ? held.last : undefined)?.name;
}

/** Links to a node by its name. */
export function NodeName({ id, tab }: { readonly id: string; readonly tab?: Tab }) {
  const { transfers } = say();
  const held = useNode(id);
  const name = useNodeName(id);
  if (held.kind === 'gone' && name === undefined) return <span class="soft">{transfers.unknownNode}</span>;
  return (
    <a href={nodeAddress(id, tab)} dir="auto">
      {name ?? id}
    </a>
  );
}

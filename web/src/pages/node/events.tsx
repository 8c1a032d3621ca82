import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { EventTable, eventArguments, eventQueryOf } from '../../parts/event-table.tsx';
import type { Choice } from '../../ui/table/index.ts';

/** Shows what has happened to the node. */
export function NodeEvents({ node }: { readonly node: Node }) {
  const { query, route } = useLocation();
  return (
    <EventTable
      nodeId={node._id}
      query={eventQueryOf(query)}
      onQuery={(next) => route(nodeAddress(node._id, 'events', eventArguments(next)), true)}
      fileName={node.name}
      choice={preference<Choice>('columns.events').value ?? {}}
      onChoice={(next) => void setPreference('columns.events', next).catch(() => {})}
    />
  );
}

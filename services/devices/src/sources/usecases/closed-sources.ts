import type { Scope } from '@catchment/access';
import type { CallContext } from '@catchment/grpc';
import type { Nodes } from './ports.ts';

/** Returns nodes that are closed to the caller: what they know of devices is, too. */
export async function closedSources(
  { nodes }: { readonly nodes: Pick<Nodes, 'closed'> },
  { closedTo }: Scope,
  call: Pick<CallContext, 'token' | 'deadlineMs' | 'signal'>,
): Promise<readonly string[]> {
  return closedTo ? nodes.closed(call) : [];
}

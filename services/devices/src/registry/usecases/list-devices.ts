import { apiCaller, scopeOf } from '@catchment/access';
import { invalid } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { LIST_MAX, parseFilter, parseSort } from '@catchment/query';
import { closedSources, type Nodes } from '../../sources/index.ts';
import type { ShownDevice } from '../domain/device.ts';
import type { Store } from './ports.ts';

export type ListDevices = {
  readonly filter: string;
  readonly sort: string;
  readonly limit?: number | undefined;
  readonly skip: number;
};

/** GET /devices: what the caller may see of them, in batches. @throws DomainError invalid_argument */
export async function listDevices(
  { store, nodes }: { readonly store: Store; readonly nodes: Nodes },
  { filter, sort, limit = LIST_MAX, skip }: ListDevices,
  call: Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>,
): Promise<{ revision: string; batches: AsyncIterable<readonly ShownDevice[]> }> {
  const within = scopeOf(apiCaller(call.caller));
  if (limit > LIST_MAX) throw invalid('INVALID_ARGUMENT', `limit: must be a whole number from 0 to ${LIST_MAX}`);
  const parsed = parseFilter(filter);
  const nodeIds = await nodes.named(store.customIdsIn(parsed), call);
  const query = { filter: parsed, sort: parseSort(sort), limit, skip, nodeIds };
  const scope = { ...within, closedSourceIds: await closedSources({ nodes }, within, call) };
  // The query is compiled before the first chunk: a bad argument must come before it.
  const batches = store.streamDevices(scope, query);
  return { revision: await store.devicesRevision(scope), batches };
}

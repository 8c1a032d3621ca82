import { type ApiCaller, checkModify, checkPermission } from '@catchment/access';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { NodeChange } from '@catchment/node-replica';
import type { OutboxMessage } from '@catchment/pg';
import type { Work } from './ports.ts';
import type { ProgramEvent } from './run-step.ts';

export type AcquireDeps = {
  /** @throws DomainError not_found, permission_denied */
  readonly resolve: (nodeRef: string) => Promise<NodeConfig>;
  readonly programs: {
    acquireProcessor(
      ownerId: string,
      nodeId: string,
      nowMs: number,
      events: readonly OutboxMessage[],
    ): Promise<boolean>;
    acquireParameters(ownerId: string, nodeId: string, events: readonly OutboxMessage[]): Promise<boolean>;
    follow(changes: readonly NodeChange[]): Promise<void>;
  };
  readonly event: (node: NodeConfig, event: ProgramEvent) => OutboxMessage;
  readonly wake: (what: Work) => void;
  readonly now: () => number;
};

/**
 * Acquire now: a processor runs once, the process parameters of a source are computed anew, or one of them alone.
 * @throws DomainError failed_precondition where the node has no program or is disabled; not_found, permission_denied
 */
export async function acquire(
  deps: AcquireDeps,
  { nodeRef, isRecorded }: { readonly nodeRef: string; readonly isRecorded: boolean },
  caller: ApiCaller,
): Promise<void> {
  const node = await deps.resolve(nodeRef);
  checkModify(caller);
  checkPermission(caller, node.workspaceId, 'CONTROL');
  if (node.source?.isEnabled === false) throw noProgram('id: the source is disabled');
  const timeMs = deps.now();
  const line = { level: 'INFO', eventType: 'ACQUISITION', message: 'Acquire requested' } as const;
  const events = isRecorded ? [] : [deps.event(node, { ...line, timeMs, username: caller.username })];
  const isProcessor = node.class === 'source.data.Processor';
  const keep = () =>
    isProcessor
      ? deps.programs.acquireProcessor(node.ownerId, node.nodeId, timeMs, events)
      : deps.programs.acquireParameters(node.ownerId, node.nodeId, events);
  let isKept = await keep();
  if (!isKept && (node.source ?? node.series)?.program) {
    // It was made a moment ago: the message about it is on its way.
    await deps.programs.follow([{ created: false, timeMs, username: '', node }]);
    isKept = await keep();
  }
  if (!isKept) throw noProgram('id: the node has no program that could run');
  deps.wake(isProcessor ? 'due' : 'recompute');
}

const noProgram = (message: string): DomainError => new DomainError('failed_precondition', 'NO_PROGRAM', message);

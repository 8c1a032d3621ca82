import type { EnsureParametersRequest, NodeConfig } from '@catchment/contracts/nodes';
import type { Requester } from '@catchment/node-replica';
import type { QualityTable } from '@catchment/quality';
import type { SourceIndex } from '../domain/source-index.ts';

export type QualityOf = (ownerId: string) => Promise<QualityTable>;

/** Historic knows nodes by this, and the parameters of data sources by the names that documents may use. */
export type Catalogue = {
  /** @throws DomainError not_found: unknown or of another account; permission_denied: outside the caller's workspaces */
  resolve(nodeRef: string, requester: Requester): Promise<NodeConfig>;
  /** Returns nodes in the order of their references. @throws DomainError as `resolve`; not_found repeats the reference */
  resolveAll(nodeRefs: readonly string[], requester: Requester): Promise<NodeConfig[]>;
  /** Finds a node of the account that this service already knows; it makes no call. */
  findKnown(nodeRef: string, ownerId: string): Promise<NodeConfig | undefined>;
  /** Reads nodes of the account in the service's own name; those that are gone are left out. @throws DomainError unavailable */
  nodesOf(nodeIds: readonly string[], ownerId: string, deadlineMs: number): Promise<NodeConfig[]>;
  /** Checks that the caller may see nodes which the request does not name itself. @throws DomainError not_found */
  checkVisible(nodeIds: readonly string[], requester: Requester): Promise<void>;
  /** Returns the parameters below a node that the requester may see, at most `limit`. @throws DomainError not_found, permission_denied */
  parametersBelow(nodeId: string, requester: Requester, limit: number): Promise<NodeConfig[]>;
  /** Returns the parameters of a data source; one that is missing here is found or made by `ensure`. */
  parametersOf(source: NodeConfig): Promise<SourceIndex>;
  /** Reads the parameters of a data source from the nodes service: the copy may lack a new one. */
  refreshParameters(source: NodeConfig, requester: Requester): Promise<SourceIndex>;
  /** Finds, adopts or creates parameters, in the order of the request (docs/reference/writing.md#data-source-writes, rules 2-6). */
  ensure(
    source: NodeConfig,
    columns: EnsureParametersRequest['columns'],
    requester: Requester,
    deadlineMs: number,
  ): Promise<NodeConfig[]>;
};

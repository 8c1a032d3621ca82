import type { Scope } from '@catchment/access';
import type { Rating } from '@catchment/contracts/ratings';
import { notFound } from '@catchment/errors';
import { findNode } from '../store/nodes-query.ts';
import type { NodeDeps } from './deps.ts';
import { ratingMessage } from './rating-message.ts';

/** The rating of a parameter. @throws DomainError not_found, also for a node without one */
export async function getRating(
  { database }: Pick<NodeDeps, 'database'>,
  scope: Scope,
  nodeId: string,
): Promise<Rating> {
  const { config } = await findNode(database, scope, nodeId);
  const rating = ratingMessage(config);
  if (!rating) throw notFound();
  return rating;
}

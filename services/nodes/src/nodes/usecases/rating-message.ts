import type { RatingRef } from '@catchment/contracts/nodes';
import type { Rating as RatingMessage } from '@catchment/contracts/ratings';
import type { Config } from '../../domain/classes/node.ts';
import type { Rating, RatingEntry } from '../../domain/classes/processing-attributes.ts';
import { digestOf } from './digest.ts';

const ratingOf = (config: Config): Rating | undefined => (config.rating as Rating | undefined) ?? undefined;

/** Returns the rating that a parameter has; undefined without a rating. */
export function ratingRef(config: Config): RatingRef | undefined {
  const rating = ratingOf(config);
  return rating && { inputNodeId: rating.inputNodeId, digest: digestOf(rating) };
}

/** Returns the whole rating (contract Rating); it is stored sorted. */
export function ratingMessage(config: Config): RatingMessage | undefined {
  const rating = ratingOf(config);
  if (!rating) return undefined;
  const { inputNodeId, ratings } = rating;
  return {
    inputNodeId,
    digest: digestOf(rating),
    entries: ratings.map((entry) => ({ startMs: Date.parse(entry.startTime), kind: kindOf(entry) })),
  };
}

type Kind = RatingMessage['entries'][number]['kind'];

function kindOf(entry: RatingEntry): Kind {
  if ('table' in entry) {
    const [inputs, results] = [entry.table.map(([input]) => input), entry.table.map(([, result]) => result)];
    return { $case: 'table', value: { inputs, results } };
  }
  return { $case: 'polynomial', value: { coefficients: Object.values(entry.coefficients) } };
}

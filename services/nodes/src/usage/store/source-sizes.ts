import { MOST_PARAMETERS } from '../domain/usage.ts';

const { small, medium } = MOST_PARAMETERS;

/**
 * Returns columns `small`, `medium` and `large`, which count data sources.
 * @param isCounted SQL of whether a source counts
 * @param parameters SQL of its active parameters
 */
export const countsBySize = (isCounted: string, parameters: string): string => `
  count(*) FILTER (WHERE ${isCounted} AND ${parameters} <= ${small})::int AS small,
  count(*) FILTER (WHERE ${isCounted} AND ${parameters} > ${small} AND ${parameters} <= ${medium})::int AS medium,
  count(*) FILTER (WHERE ${isCounted} AND ${parameters} > ${medium})::int AS large`;

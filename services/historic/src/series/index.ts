export { NodeCatalogue } from './clients/catalogue.ts';
export { bad } from './domain/argument-rules.ts';
export { badBody } from './domain/json-body.ts';
export { rangeRemoval } from './domain/range-removal.ts';
export { keyOf, type SeriesKey } from './domain/series-key.ts';
export {
  classHasRecords,
  isDataSource,
  isSeries,
  type QualityOfValue,
  qualityOfStates,
  type SeriesNode,
  seriesOf,
  writableSeries,
} from './domain/series-node.ts';
export { refersTo, type SourceIndex } from './domain/source-index.ts';
export { clampToStore, isStorable, MAX_RECORD_MS, MIN_RECORD_MS, RECORD_RANGE_RULE } from './domain/store-range.ts';
export type { Catalogue, QualityOf } from './usecases/ports.ts';

export { EDGES, type Edge, type Edges, NO_EDGES, type RawValue, type SeriesRecord } from './domain/edges.ts';
export { NO_REPORT, type Shown, type ShownInputs, type ShownRecord, shownOf } from './domain/shown.ts';
export {
  type ColumnOf,
  lockEdges,
  type PlacedInputs,
  placedInputs,
  type ShownOfNode,
  shownSaver,
  toEdges,
  toShown,
  type ValuesRow,
} from './store/pg-shown.ts';
export { refreshShown, refreshStale } from './usecases/refresh-shown.ts';

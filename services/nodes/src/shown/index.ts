import { touchOwners } from '../changes/index.ts';
import { saveShown } from './store/pg-shown.ts';
import { refreshShown as refresh, refreshStale as refreshAll } from './usecases/refresh-shown.ts';

export { EDGES, type Edge, type Edges, NO_EDGES, type RawValue, type SeriesRecord } from './domain/edges.ts';
export {
  NO_REPORT,
  type Shown,
  type ShownOfNode,
  type ShownRecord,
  shownOf,
} from './domain/shown.ts';
export { isShownOtherwise } from './domain/shown-attributes.ts';
export { type ColumnOf, markStale, shownSaver } from './store/pg-shown.ts';
export {
  lockEdges,
  type PlacedInputs,
  placedInputs,
  toEdges,
  toShown,
  type ValuesRow,
} from './store/shown-query.ts';

/** See `refreshShown` of refresh-shown.ts. */
export const refreshShown = refresh.bind(undefined, saveShown);
/** See `refreshStale` of refresh-shown.ts. */
export const refreshStale = refreshAll.bind(undefined, { saveShown, touchOwners });

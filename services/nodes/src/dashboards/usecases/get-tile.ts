import type { ApiCaller } from '@catchment/access';
import type { GetTileRequest, GetTileResponse } from '@catchment/contracts/pages';
import { AGGREGATES_OF_ANYTHING, percentileText } from '@catchment/query';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { displayTypeOf } from '../../domain/classes/node.ts';
import type { ViewedNode } from '../../views/index.ts';
import { linkedNodes, mapLayers, pictureOf } from '../domain/page-content.ts';
import { ownBoundsOf, periodOf, type TileSpec } from '../domain/page-spec.ts';
import { unitsOf } from '../domain/parameter-view.ts';
import { givenRange, pageBounds, periodRange, type TimeRange, tileBound } from '../domain/tile-range.ts';
import { type LoadedPage, loadPage, type PageDeps } from './load-page.ts';

const WITH_RANGE: readonly string[] = ['STANDARD_CHART', 'HISTORIC_TABLE'];
const NO_RANGE: TimeRange = { startMs: 0, endMs: 0 };
const BROKEN = { nodeId: '', name: '', units: '', isNumber: false, arguments: {}, expectedIntervalSeconds: undefined };

/**
 * Reads the data of a tile, by the same rules as its view.
 * @throws DomainError not_found, permission_denied, invalid_argument
 */
export async function getTile(
  deps: PageDeps,
  caller: ApiCaller,
  { page: ref, tileId, start, end }: GetTileRequest & { readonly page: NonNullable<GetTileRequest['page']> },
): Promise<GetTileResponse> {
  const loaded = await loadPage(deps, caller, ref, tileId);
  const tile = loaded.tiles[0]!;
  const [first] = linkedNodes(tile, loaded);
  const picture = first && pictureOf(first, loaded);
  return {
    type: tile.type,
    nodes: tile.links.map(({ nodeId, name }) => {
      const node = loaded.nodes.get(nodeId);
      if (!node) return BROKEN;
      const about = { nodeId, name: name || node.name, units: unitsOf(node), isNumber: isNumber(node) };
      return { ...about, arguments: columnArguments(tile, node), expectedIntervalSeconds: expectedIntervalOf(node) };
    }),
    ...(WITH_RANGE.includes(tile.type) ? rangeOf(tile, loaded, ref.kind, ref.arguments, { start, end }) : NO_RANGE),
    arguments: {
      timezone: loaded.timezone,
      timezoneAdjustForDst: String(loaded.adjustForDst).toUpperCase(),
    },
    workspaceId: loaded.page.workspaceId,
    imageId: picture?.nodeId ?? '',
    layerIds: mapLayers(loaded).map(({ attachment }) => attachment.nodeId),
  };
}

/** A range that is asked for with the request goes before that of the page's address, and that before the tile's own. */
function rangeOf(
  tile: TileSpec,
  loaded: LoadedPage,
  kind: string,
  given: Readonly<Record<string, string>>,
  asked: { readonly start: string; readonly end: string },
): TimeRange {
  const { zone } = loaded.reader;
  const context = { nowMs: loaded.nowMs, zone, nodes: linkedNodes(tile, loaded) };
  const { start: from, end: to } = ownBoundsOf(tile);
  const ofTile = { start: tileBound('startRange', from, zone), end: tileBound('endRange', to, zone) };
  const range = givenRange(ofTile, periodRange(periodOf(tile), context), context, ['startRange', 'endRange']);
  const ofPage =
    kind === 'historic' || kind === 'chart'
      ? givenRange(pageBounds(given, zone), range, context, ['startTime', 'endTime'])
      : range;
  const bounds = { start: tileBound('start', asked.start, zone), end: tileBound('end', asked.end, zone) };
  return givenRange(bounds, ofPage, context, ['start', 'end']);
}

/** Aggregates of values that are no numbers, or shown as states (docs/reference/aggregates.md#which-aggregates). */
const OF_STATES: readonly string[] = AGGREGATES_OF_ANYTHING;

type TableConfig = {
  readonly aggregate?: string;
  readonly percentile?: number | null;
  readonly interval?: string;
};

/** Reads the column of a table: aggregated where the tile says so, by what its values allow. */
function columnArguments({ type, config }: TileSpec, node: ViewedNode): Record<string, string> {
  const { aggregate = 'NONE', interval = '1D', percentile } = config as TableConfig;
  if (type !== 'HISTORIC_TABLE' || aggregate === 'NONE') return {};
  const showsNumbers = isNumber(node) && displayTypeOf(node.config) === 'VALUE';
  return {
    aggregate: showsNumbers || OF_STATES.includes(aggregate) ? aggregate : 'START',
    ...(typeof percentile === 'number' && { percentile: percentileText(percentile) }),
    baseTime: 'D',
    interval,
  };
}

function expectedIntervalOf({ config }: ViewedNode): number | undefined {
  const seconds = config.chart?.expectedIntervalSeconds;
  return typeof seconds === 'number' ? seconds : undefined;
}

const isNumber = (node: ViewedNode): boolean => nodeClass(node.class).family === 'NUMBER';

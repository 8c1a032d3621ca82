import type { DashboardView, TileContent } from '@catchment/dashboard-view';
import { inTurn } from '../../live/requests.ts';
import { ownAddress } from '../nodes/attachments.ts';
import { call, nodePath } from '../requests/call.ts';
import type { BoardTile } from './tiles.ts';

type Preview = { readonly view: DashboardView; readonly data: unknown };

/** This many are asked for at a time, so that a large dashboard leaves room for everything else. */
const MOST_AT_ONCE = 4;
const take = inTurn(MOST_AT_ONCE);

const preview = (
  id: string,
  tiles: readonly BoardTile[],
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Preview> =>
  take(() => call<Preview>('POST', `${nodePath(id)}/page/preview`, { query, body: { tiles }, signal }), signal);

/** Previews a dashboard with these tiles as it would be shown; nothing is saved (docs/reference/dashboards-and-reports.md#previews). */
export const previewTiles = async (
  id: string,
  tiles: readonly BoardTile[],
  signal: AbortSignal,
): Promise<DashboardView> => ownLinks((await preview(id, tiles, {}, signal)).view);

/** Links to files are built from the address of the API; the page may load them from its own. */
const ownLinks = (view: DashboardView): DashboardView => ({
  ...view,
  tiles: view.tiles.map(({ content, ...tile }) => ({ ...tile, content: withOwnLinks(content) })),
});

function withOwnLinks(content: TileContent): TileContent {
  if (content.type === 'LOCATION_MAP')
    return {
      ...content,
      imageUrl: content.imageUrl && ownAddress(content.imageUrl),
      layers: content.layers.map((layer) => ({ ...layer, url: ownAddress(layer.url) })),
    };
  if (content.type === 'ATTACHMENT_IMAGE')
    return { ...content, imageUrl: content.imageUrl && ownAddress(content.imageUrl) };
  return content;
}

/** Previews a chart node as it would be drawn with attributes that are not saved (docs/reference/charts.md#previews). */
export const previewChart = (
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  size: { readonly width: number; readonly height: number },
  signal: AbortSignal,
): Promise<string> =>
  call('POST', `${nodePath(id)}/historic/chart/preview`, {
    query: { format: 'SVG', ...size },
    body: attributes,
    signal,
    isText: true,
  });

/** Reads what a tile that is not saved shows beside its view: lines of a range, rows, or a picture. */
export async function previewData<T>(
  id: string,
  tile: BoardTile,
  range: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<T> {
  return (await preview(id, [tile], { ...range, tile: tile._id }, signal)).data as T;
}

import { invalid } from '@catchment/errors';
import { PAGE_PREVIEW, readArguments } from '@catchment/query';
import { readChart, readTable, tileOptions } from '../../usecases/pages/tile-data.ts';
import type { Visit } from '../../usecases/pages/visit.ts';
import { type ApiCall, changed } from '../routing/api-call.ts';
import type { RouteTable } from '../routing/define-routes.ts';
import { type PageResourceDeps, pageArguments } from './page-resources.ts';
import { previewPage } from './previews-docs.ts';

type PreviewDeps = Pick<PageResourceDeps, 'reader' | 'historic' | 'render' | 'signer'>;

/** Serves the page of a dashboard as it would be (docs/reference/dashboards-and-reports.md#previews). */
export const previewRoutes = (deps: PreviewDeps): RouteTable => ({
  '/nodes/:id/page/preview': {
    POST: {
      schema: previewPage,
      body: 'json',
      keyed: 'again',
      isSlowTooLarge: true,
      answer: async (call) => {
        const { tile } = readArguments(PAGE_PREVIEW, call.query);
        const visit = visitOf(call);
        const { view, ownerId } = await deps.reader.view(visit, call.options.signal);
        if (tile !== '' && !view.tiles.some(({ id }) => id === tile))
          throw invalid('INVALID_ARGUMENT', 'tile: must be the id of a tile of the page');
        const data = tile === '' ? null : await dataOf(deps, call, { visit, ownerId, tileId: tile });
        return changed(Buffer.from(JSON.stringify({ view, data })));
      },
    },
  },
});

function visitOf({ id, query, body, caller }: ApiCall): Visit {
  const page = { kind: 'dash', nodeRef: id, arguments: pageArguments(query), accountSlug: '', draft: body };
  return { page, basePath: '', caller: async () => caller };
}

type Wanted = { readonly visit: Visit; readonly ownerId: string; readonly tileId: string };

/** Reads what a tile shows beside its view: lines, rows or a picture; null: nothing. */
async function dataOf(deps: PreviewDeps, call: ApiCall, { visit, ownerId, tileId }: Wanted): Promise<object | null> {
  const { width, height } = readArguments(PAGE_PREVIEW, call.query);
  const { start = '', end = '' } = call.query;
  const signal = call.options.signal ?? new AbortController().signal;
  const { arrivalMs } = call;
  const tile = await deps.reader.tile(visit, tileId, { start, end }, signal);
  const read = { ownerId, tile, arrivalMs, signal };
  switch (tile.type) {
    case 'STANDARD_CHART':
      return readChart(deps, read, width);
    case 'HISTORIC_TABLE':
      return readTable(deps, read);
    case 'CUSTOM_CHART': {
      const nodeRef = tile.nodes[0]?.nodeId;
      if (!nodeRef) return null;
      const size = { width: String(width), height: String(height) };
      // The tile says what it is.
      const given = { ...tile.arguments, ...size, format: 'SVG', title: '', subtitle: '' };
      const asked = { nodeRef, arguments: given, arrivalMs, hidesPaths: true };
      const pieces: Buffer[] = [];
      for await (const { data } of deps.render.renderChart(asked, await tileOptions(deps, read))) pieces.push(data);
      return { svg: Buffer.concat(pieces).toString() };
    }
    default:
      return null;
  }
}

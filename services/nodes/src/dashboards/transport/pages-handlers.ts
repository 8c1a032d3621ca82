import { apiCaller, serviceCaller } from '@catchment/access';
import { PagesServiceService } from '@catchment/contracts/pages';
import { invalid } from '@catchment/errors';
import { slotsFor } from '@catchment/fair-queue';
import { admitted, type Handlers } from '@catchment/grpc';
import { SharedViews, type ViewDeps } from '../../views/index.ts';
import { findPublic } from '../usecases/find-public.ts';
import { getPage } from '../usecases/get-page.ts';
import { getTile } from '../usecases/get-tile.ts';

/** This many pages load at once. */
const PAGES = 32;

/** PagesService answers what pages for people show. */
export function pagesHandlers(deps: ViewDeps): Handlers<PagesServiceService> {
  const loading = { ...deps, shared: new SharedViews(deps.database) };
  const handlers: Handlers<PagesServiceService> = {
    findPublic: async (request, { caller }) => {
      serviceCaller(caller, 'gateway');
      const { ownerId, workspaceId, nodeId, name } = await findPublic(deps, request);
      return { ownerId, workspaceId, nodeId, name };
    },
    getPage: async ({ page, basePath }, { caller }) => {
      const { view, counts, ...about } = await getPage(loading, apiCaller(caller), { page: given(page), basePath });
      return { ...about, view: Buffer.from(JSON.stringify(view)), counts: [...counts] };
    },
    getTile: ({ page, ...request }, { caller }) =>
      getTile(loading, apiCaller(caller), { ...request, page: given(page) }),
  };
  return admitted(PagesServiceService, handlers, slotsFor('TOO_MANY_PAGES', PAGES), { getPage: 1, getTile: 1 });
}

function given<T>(page: T | undefined): T {
  if (page === undefined) throw invalid('INVALID_ARGUMENT', 'page: must be given');
  return page;
}

import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';

/** A page gets this of its address, below `/a/<slug>`. */
type PageParams = { readonly id?: string; readonly tab?: string };
type Page = {
  readonly default: ComponentType<PageParams>;
  /** Resolves when the page has what it shows first. */
  readonly isThere?: Promise<unknown>;
};

/** Makes a page of the console: a folder of `pages`, which comes when it is opened. Its address is below `/a/<slug>`. */
function page(path: string, load: () => Promise<Page>) {
  let loading: Promise<Page> | undefined;
  const loadOnce = () =>
    (loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    }));
  const component = lazy(loadOnce);
  /** A page that has come before it is shown is drawn at once; one that did not come is tried again when it is shown. */
  const preload = async () => {
    const { isThere } = await loadOnce();
    await component.preload();
    await isThere;
  };
  return { path, component, preload };
}

export const ROUTES = [
  page('/overview', async () => {
    const { default: OverviewPage, isThere } = await import('../pages/overview/index.tsx');
    return { default: OverviewPage, isThere };
  }),
  page('/alarms', () => import('../pages/alarms/index.tsx')),
  page('/events', () => import('../pages/events/index.tsx')),
  page('/dashboards', () => import('../pages/dashboards/index.tsx')),
  page('/dash/:id/:tab', () => import('../pages/dash/index.tsx')),
  page('/reports', () => import('../pages/report/index.tsx')),
  page('/report/:id/:tab', () => import('../pages/report/index.tsx')),
  page('/devices/:tab?', () => import('../pages/devices/index.tsx')),
  page('/templates/:id?', () => import('../pages/templates/index.tsx')),
  page('/people/:tab?', () => import('../pages/people/index.tsx')),
  page('/account/:tab?', () => import('../pages/account/index.tsx')),
  page('/installation/:tab?', () => import('../pages/installation/index.tsx')),
  page('/transfers/:tab', () => import('../pages/transfers/index.tsx')),
  page('/me/:tab?', () => import('../pages/me/index.tsx')),
  page('/station/:tab', () => import('../pages/station/index.tsx')),
  page('/n/:id/:tab', () => import('../pages/node/index.tsx')),
] as const;

/** Parameters of paths that name something, and open nothing by themselves. All others are left out of traces, new ones too. */
const HARMLESS: ReadonlySet<string> = new Set(['account', 'alert', 'id', 'deliveryId', 'tileId', 'n', 'preference']);

const isHarmless = new Map<string, boolean>();

/**
 * Returns the path of a request for traces. Paths of push keys, of links in mails and of public pages open something
 * for whoever knows them: of those the route is traced. A path without a route may be such a path with a mistake in it:
 * it is not traced.
 * @param route as it was defined; undefined = none
 */
export function tracedPath(route: string | undefined, url: string): string | undefined {
  if (route === undefined) return undefined;
  let isShown = isHarmless.get(route);
  if (isShown === undefined) {
    isShown = [...route.matchAll(/:(\w+)/g)].every(([, name = '']) => HARMLESS.has(name));
    isHarmless.set(route, isShown);
  }
  return isShown ? url.split('?', 1)[0] : route;
}

import { PATHS_MAX } from '@catchment/contracts/program-limits';

/** A program names this path; `many`: as the argument of NODES, whose last element is a pattern. */
type NamedPath = { readonly path: string; readonly many: boolean };

const QUOTED = /(\bNODES\s*\(\s*)?(["'`])((?:\\.|(?!\2)[^\\\n])*)\2/g;

/**
 * Every text in quotes that may be a path, without its aggregate (docs/reference/processing-and-ratings.md#paths). A path may stand in a
 * constant, so each text counts; one that leads nowhere is no path.
 */
export function pathsIn(code: string): NamedPath[] {
  const paths = new Map<string, NamedPath>();
  for (const [, nodes, , text = ''] of code.matchAll(QUOTED)) {
    const path = (text.replaceAll(/\\(.)/g, '$1').split(';')[0] ?? '').trim();
    const many = nodes !== undefined;
    if (path !== '') paths.set(`${many} ${path}`, { path, many });
    if (paths.size === PATHS_MAX) break;
  }
  return [...paths.values()];
}

import { DomainError } from '@catchment/errors';
import { MESSAGE_WORK, parseExpressions } from '@catchment/expressions';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { formatOf, nodeObject, nodeView, type Reader, shownAt, type ViewedNode, valueText } from '../../views/index.ts';

/** The text of a tile can read these nodes: the dashboard, and the nearest nodes above it. */
export type TextNodes = {
  readonly page: ViewedNode;
  readonly location: ViewedNode | undefined;
  readonly workspace: ViewedNode | undefined;
  /** Full paths by node. */
  readonly paths: ReadonlyMap<string, string>;
};

/** Returns a text with its expressions evaluated (docs/reference/expressions.md#objects); one that cannot be is empty. */
export function staticText(
  source: string,
  { page, location, workspace, paths }: TextNodes,
  { names, nowMs, reader }: { readonly names: ClassNames; readonly nowMs: number; readonly reader: Reader },
): string {
  const objectOf = (node: ViewedNode | undefined) => {
    if (!node) return null;
    const shown = shownAt(node, 'current');
    const currentValueFormatted = shown ? valueText(shown, formatOf(node), reader) : '';
    const view = nodeView(node, { names, nowMs, urlOf: () => undefined });
    return nodeObject(view, { path: paths.get(node.nodeId) ?? '', currentValueFormatted });
  };
  const objects = {
    NOW: formatIsoMs(nowMs),
    THIS: objectOf(page),
    SOURCE: null,
    LOCATION: objectOf(location),
    WORKSPACE: objectOf(workspace),
  };
  try {
    return parseExpressions(source).render(objects, { nowMs, zone: reader.zone, work: MESSAGE_WORK });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
    return '';
  }
}

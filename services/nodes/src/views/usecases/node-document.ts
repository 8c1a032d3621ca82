import type { Caller } from '@catchment/access';
import type { Document } from '@catchment/contracts/common';
import { parseAttr, selectAttributes } from '@catchment/query';
import { nodeText, nodeView } from '../domain/node-view.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import type { ViewDeps } from './deps.ts';
import { fileUrlFor } from './file-url.ts';

/**
 * Returns a node as the caller sees it.
 * @param options.expiry minutes that links hold; 0 = for ever
 * @param options.warnings what its change has broken, whatever attributes are asked for; none are not shown
 */
export function nodeDocument(
  deps: ViewDeps,
  caller: Caller,
  node: ViewedNode,
  {
    attr = '',
    expiry = 0,
    warnings = [],
  }: { readonly attr?: string; readonly expiry?: number; readonly warnings?: readonly object[] } = {},
): Document {
  const nowMs = deps.now();
  const urlOf = fileUrlFor(deps.files, caller, expiry, nowMs);
  const context = { names: deps.names, nowMs, urlOf, caller };
  if (attr === '' && warnings.length === 0) return { json: Buffer.from(nodeText(node, context)) };
  const view = nodeView(node, context);
  const shown = attr === '' ? view : selectAttributes(view, parseAttr(attr));
  return { json: Buffer.from(JSON.stringify({ ...shown, ...(warnings.length > 0 && { warnings }) })) };
}

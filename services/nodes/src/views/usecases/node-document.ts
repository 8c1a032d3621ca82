import type { Caller } from '@catchment/access';
import type { Document } from '@catchment/contracts/common';
import { parseAttr, selectAttributes } from '@catchment/query';
import { nodeText, nodeView } from '../domain/node-view.ts';
import type { ViewedNode } from '../domain/viewed-node.ts';
import type { ViewDeps } from './deps.ts';
import { fileUrlFor } from './file-url.ts';

/** A node as the caller sees it. @param options.expiry minutes that links hold; 0 = for ever */
export function nodeDocument(
  deps: ViewDeps,
  caller: Caller,
  node: ViewedNode,
  { attr = '', expiry = 0 }: { readonly attr?: string; readonly expiry?: number } = {},
): Document {
  const nowMs = deps.now();
  const context = { names: deps.names, nowMs, urlOf: fileUrlFor(deps.files, caller, expiry, nowMs) };
  const json =
    attr === '' ? nodeText(node, context) : JSON.stringify(selectAttributes(nodeView(node, context), parseAttr(attr)));
  return { json: Buffer.from(json) };
}

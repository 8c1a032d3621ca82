export type { FileUrl } from './domain/file-view.ts';
export { nodeObject } from './domain/node-object.ts';
export { nodeView, viewSchemas } from './domain/node-view.ts';
export { shownValue } from './domain/series-view.ts';
export { listText, treeText, type WrittenNode } from './domain/tree-text.ts';
export { formatOf, type Reader, type ShownValue, shownAt, valueText } from './domain/value-text.ts';
export type { ViewedNode } from './domain/viewed-node.ts';
export { givenNodes, scopeSql } from './store/node-list-query.ts';
export { nodeQueryColumns } from './store/node-query-columns.ts';
export {
  viewedByIds,
  viewedByReferences,
  viewedInWorkspace,
  viewedNode,
} from './store/node-views-query.ts';
export { dataTimesHandlers } from './transport/data-times-handlers.ts';
export type { ListDeps, ViewDeps } from './usecases/deps.ts';
export { fileUrlFor } from './usecases/file-url.ts';
export { getNode } from './usecases/get-node.ts';
export { listAlarms } from './usecases/list-alarms.ts';
export { listChildren } from './usecases/list-children.ts';
export { documentsOf, listNodes, listRevision, type Shown, writtenNodes } from './usecases/list-nodes.ts';
export { nodeDocument } from './usecases/node-document.ts';
export { searchNodes } from './usecases/search-nodes.ts';
export { SharedViews } from './usecases/shared-views.ts';

import { touchOwners } from '../changes/index.ts';
import { rememberPlaces, saveActive } from '../nodes/index.ts';
import { forgetTemplate } from '../templates/index.ts';
import * as controls from './store/pg-controls.ts';
import * as stations from './store/pg-stations.ts';
import * as places from './store/pg-tree.ts';
import { nodesHandlers as handlersOf } from './transport/nodes-handlers.ts';
import { makeNode as make } from './usecases/create-node.ts';

export { draftNode } from './usecases/draft-node.ts';
export { listParametersBelow } from './usecases/resolve-nodes.ts';

export const nodesHandlers = handlersOf.bind(undefined, {
  ...controls,
  ...stations,
  ...places,
  rememberPlaces,
  saveActive,
  forgetTemplate,
  touchOwners,
});
/** See `makeNode` of create-node.ts. */
export const makeNode = make.bind(undefined, stations);

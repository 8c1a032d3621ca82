import { touchOwners } from '../changes/index.ts';
import { rememberPlaces, saveActive } from '../nodes/index.ts';
import { forgetTemplate } from '../templates/index.ts';
import { dropControl, keepControl } from './store/pg-controls.ts';
import { countRefusal } from './store/pg-stations.ts';
import { setParent, setWorkspace } from './store/pg-tree.ts';
import { nodesHandlers as handlersOf } from './transport/nodes-handlers.ts';
import { makeNode as make } from './usecases/create-node.ts';

export { draftNode } from './usecases/draft-node.ts';
export { listParametersBelow } from './usecases/resolve-nodes.ts';

const stations = { countRefusal };

export const nodesHandlers = handlersOf.bind(undefined, {
  keepControl,
  dropControl,
  ...stations,
  setParent,
  setWorkspace,
  rememberPlaces,
  saveActive,
  forgetTemplate,
  touchOwners,
});
/** See `makeNode` of create-node.ts. */
export const makeNode = make.bind(undefined, stations);

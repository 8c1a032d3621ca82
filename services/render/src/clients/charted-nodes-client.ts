import { type NodeConfig, type NodesServiceService, type StateConfig, ValueType } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import type { GrpcClient } from '@catchment/grpc';
import { chartNodeClass } from '../domain/chart-node.ts';
import { noChart, type Parameter } from '../domain/parameter.ts';
import type { ChartedNodes } from '../usecases/ports.ts';
import { callOptions } from './call-options.ts';

type Nodes = Pick<GrpcClient<NodesServiceService>, 'resolveNodes' | 'getNode'>;

/** Parameters and chart nodes from the nodes service, seen with the caller's own rights. */
export function chartedNodesClient(nodes: Nodes): ChartedNodes {
  return {
    async get(nodeRef, call, draft) {
      const { nodes: found } = await nodes.resolveNodes({ nodeRefs: [nodeRef], ownerId: '' }, callOptions(call));
      const [node] = found;
      if (!node) throw notFound();
      const chartClass = chartNodeClass(node.class);
      // A preview is of settings that parameters do not have.
      if (!chartClass && draft) throw noChart(node.class);
      if (!chartClass) return parameterOf(node);
      const { json } = await nodes.getNode(
        { nodeRef: node.nodeId, attr: '', expiry: 0, ...(draft && { draft: Buffer.from(draft) }) },
        callOptions(call),
      );
      return { nodeId: node.nodeId, class: chartClass, path: node.path, attributes: JSON.parse(json.toString()) };
    },
    async named(nodeRefs, call) {
      const asked = { nodeRefs: [...nodeRefs], ownerId: '', namesMissing: true };
      const { nodes: found } = await nodes.resolveNodes(asked, callOptions(call));
      return found.map(parameterOf);
    },
    async linked(nodeIds, call) {
      const nodeRefs = [...new Set(nodeIds)];
      if (nodeRefs.length === 0) return new Map();
      const asked = { nodeRefs, ownerId: '', skipsMissing: true };
      const { nodes: found } = await nodes.resolveNodes(asked, callOptions(call));
      return new Map(found.flatMap((node) => (isCharted(node) ? [[node.nodeId, parameterOf(node)] as const] : [])));
    },
  };
}

const isCharted = ({ series }: NodeConfig): boolean => series !== undefined && CHARTED.has(series.valueType);

/** @throws DomainError failed_precondition for nodes without a chart */
function parameterOf(node: NodeConfig): Parameter {
  const { series } = node;
  if (!series) throw noChart(node.class);
  const valueType = CHARTED.get(series.valueType);
  if (!valueType) throw noChart(node.class);
  const { statesType, states, hysteresis, units, chart } = series;
  return {
    nodeId: node.nodeId,
    workspaceId: node.workspaceId,
    name: node.name,
    path: node.path,
    units,
    valueType,
    displayType: series.displayType === 'STATE' ? 'STATE' : 'VALUE',
    states: { statesType, states: states.map(withNotifies), hysteresis },
    chart: { ...chart },
  };
}

const withNotifies = (state: StateConfig) => ({
  ...state,
  notifies: state.notify !== '' && state.notify !== 'NEVER',
});

const CHARTED: ReadonlyMap<ValueType, Parameter['valueType']> = new Map([
  [ValueType.VALUE_TYPE_NUMBER, 'NUMBER'],
  [ValueType.VALUE_TYPE_TEXT, 'TEXT'],
]);

import { type NodeConfig, type NodesServiceService, ValueType } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import type { GrpcClient } from '@catchment/grpc';
import { noChart, type Parameter } from '../domain/parameter.ts';
import type { Parameters } from '../usecases/ports.ts';

/** Parameters from the nodes service, seen with the caller's own rights. */
export function parametersClient(nodes: Pick<GrpcClient<NodesServiceService>, 'resolveNodes'>): Parameters {
  return {
    async get(nodeRef, { token, deadlineMs, signal }) {
      const timeoutMs = Math.max(deadlineMs - Date.now(), 1);
      const { nodes: found } = await nodes.resolveNodes(
        { nodeRefs: [nodeRef], ownerId: '' },
        { token, deadlineMs, timeoutMs, signal },
      );
      const [node] = found;
      if (!node) throw notFound();
      return parameterOf(node);
    },
  };
}

/** @throws DomainError failed_precondition for nodes without a chart */
export function parameterOf(node: NodeConfig): Parameter {
  const { series } = node;
  if (!series) throw noChart(node.class);
  const valueType = CHARTED.get(series.valueType);
  if (!valueType) throw noChart(node.class);
  const { statesType, states, hysteresis, units, chart } = series;
  return {
    nodeId: node.nodeId,
    name: node.name,
    path: node.path,
    units,
    valueType,
    displayType: series.displayType === 'STATE' ? 'STATE' : 'VALUE',
    states: { statesType, states, hysteresis },
    // The previous version of nodes does not send it: the chart is drawn with the default settings.
    chart: { ...chart },
  };
}

const CHARTED: ReadonlyMap<ValueType, Parameter['valueType']> = new Map([
  [ValueType.VALUE_TYPE_NUMBER, 'NUMBER'],
  [ValueType.VALUE_TYPE_TEXT, 'TEXT'],
]);

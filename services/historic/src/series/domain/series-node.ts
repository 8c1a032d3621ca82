import { type NodeConfig, type SeriesConfig, ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import { invalid } from '@catchment/errors';
import { qualityCodeFor } from '@catchment/states';

/** The node has a series itself: a parameter or a Location. */
export type SeriesNode = NodeConfig & { readonly series: SeriesConfig };

export const isSeries = (node: NodeConfig): node is SeriesNode => node.series !== undefined;

/** Takes historic writes that go to several parameters (docs/reference/writing.md#data-source-writes). */
export const isDataSource = (node: NodeConfig): boolean =>
  node.class.startsWith('source.data.') && node.class !== 'source.data.Processor';

/** Classes whose nodes have records. */
export const classHasRecords = (nodeClass: string): boolean =>
  nodeClass.startsWith('point.') || nodeClass === 'location.Location';

/**
 * @throws DomainError invalid_argument when the node is neither Location nor parameter
 * (docs/reference/requests-and-errors.md#order-of-checks, step 12)
 */
export function seriesOf(node: NodeConfig, operation: string): SeriesNode {
  if (isSeries(node)) return node;
  throw invalid('NODE_KIND', `node: ${operation} needs a Location or a parameter`);
}

/**
 * @throws DomainError invalid_argument on process and rating parameters
 * (docs/reference/writing.md#checks-before-the-answer), and in templates (docs/reference/templates.md#what-a-template-is)
 */
export function writableSeries(node: SeriesNode): SeriesNode {
  if (node.series.writable) return node;
  throw invalid(
    'NODE_READ_ONLY',
    'node: records of a process or rating parameter, or of a template, cannot be written',
  );
}

/** A record without a quality gets this from its value (docs/reference/states.md#evaluation); undefined = none. */
export type QualityOfValue = (value: number | string) => number | undefined;

/** Returns the quality that states give to new records (docs/reference/states.md#evaluation); undefined when no state has a code. */
export function qualityOfStates({ series }: SeriesNode): QualityOfValue | undefined {
  if (!series.states.some((state) => state.qualityCode !== undefined)) return undefined;
  if (series.valueType === ValueType.VALUE_TYPE_TEXT) return (value) => qualityCodeFor(series, value);
  if (series.valueType !== ValueType.VALUE_TYPE_NUMBER) return undefined;
  const { apply } = transformOf(series);
  return (value) => (typeof value === 'number' ? qualityCodeFor(series, apply(value)) : undefined);
}

import type { ColumnSettings, ParserSettings } from '@catchment/delimited-text';
import type { Config, StoredNode } from '../../domain/classes/node.ts';

type Files = readonly { readonly parser?: ParserSettings | null }[];

const columnsOf = ({ parser, files }: Config): readonly ColumnSettings[] =>
  [parser as ParserSettings | undefined, ...((files ?? []) as Files).map((entry) => entry.parser)].flatMap(
    (document) => document?.columns ?? [],
  );

/** Returns keys of the series that the parsers of a source name, and read or leave out. */
function seriesIn(config: Config): { readonly read: ReadonlySet<string>; readonly disabled: ReadonlySet<string> } {
  const named = columnsOf(config).filter(({ series }) => series);
  const keys = (some: readonly ColumnSettings[]) => new Set(some.map(({ series }) => series ?? ''));
  const read = keys(named.filter(({ type }) => type !== 'DISABLED'));
  return { read, disabled: keys(named.filter(({ type, series }) => type === 'DISABLED' && !read.has(series ?? ''))) };
}

/**
 * Reads the parameters of a source that become active or inactive with its parsers (docs/reference/acquisition.md#text-parser): a series
 * that is disabled, or named no longer, keeps its parameter and its records.
 */
export function activityOf(
  before: Config,
  after: Config,
  parameters: readonly StoredNode[],
): { readonly active: readonly StoredNode[]; readonly inactive: readonly StoredNode[] } {
  const [was, is] = [seriesIn(before), seriesIn(after)];
  // A file whose columns are not listed says itself which series there are.
  const isNamed = is.read.size + is.disabled.size > 0;
  const isLeftOut = (key: string) => is.disabled.has(key) || (isNamed && was.read.has(key) && !is.read.has(key));
  const ofSeries = parameters.flatMap((node) => (node.seriesKey === null ? [] : [{ node, key: node.seriesKey }]));
  return {
    active: ofSeries.flatMap(({ node, key }) =>
      !node.isActive && (is.read.has(key) || (!isNamed && was.disabled.has(key))) ? [node] : [],
    ),
    inactive: ofSeries.flatMap(({ node, key }) => (node.isActive && isLeftOut(key) ? [node] : [])),
  };
}

import { type EffectiveZone, readTimeArgument, type TimeArgument } from '@catchment/time';
import type { ChartArguments, TimeRange } from './chart-arguments.ts';

/** The chart is a node (docs/reference/charts.md). */
export type ChartNode = {
  readonly nodeId: string;
  readonly class: ChartNodeClass;
  /** Full path (docs/reference/node-tree.md#common-attributes). */
  readonly path: string;
  /** The attributes as `GET /nodes/:id` shows them: checked, with defaults. */
  readonly attributes: Given;
};

export type Given = Readonly<Record<string, unknown>>;

const CLASSES = ['chart.HistoricChart', 'chart.WindRoseChart', 'chart.DisplacementChart'] as const;
export type ChartNodeClass = (typeof CLASSES)[number];

export const chartNodeClass = (name: string): ChartNodeClass | undefined => CLASSES.find((known) => known === name);

export type Link = { readonly nodeId: string; readonly name: string } & Given;

/** Attributes by kind. What is absent or of another kind, as in a chart of another version, has its default. */
export const attributesOf = (given: Given) => ({
  text: (name: string, fallback = ''): string => (typeof given[name] === 'string' ? given[name] : fallback),
  number: (name: string, fallback: number): number => (typeof given[name] === 'number' ? given[name] : fallback),
  optional: (name: string): number | undefined => (typeof given[name] === 'number' ? given[name] : undefined),
  flag: (name: string, fallback: boolean): boolean => (typeof given[name] === 'boolean' ? given[name] : fallback),
  choice: <const T extends string>(name: string, choices: readonly [T, ...T[]]): T =>
    choices.find((choice) => choice === given[name]) ?? choices[0],
  object: (name: string): Given => objectOf(given[name]),
  objects: (name: string): Given[] => listOf(given[name]).map(objectOf),
  numbers: (name: string): number[] => listOf(given[name]).filter((item) => typeof item === 'number'),
  texts: (name: string): string[] => listOf(given[name]).filter((item) => typeof item === 'string'),
  links: (name: string): Link[] =>
    listOf(given[name]).flatMap((item) => {
      const { nodeId, name, ...rest } = objectOf(item);
      return typeof nodeId === 'string' ? { ...rest, nodeId, name: typeof name === 'string' ? name : '' } : [];
    }),
});

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {};

type Asked = Pick<ChartArguments, 'start' | 'end' | 'zone'>;

/** Takes `startTime` and `endTime`, else those of the node. */
export const nodeRange = (asked: Asked, given: Given): TimeRange => ({
  start: asked.start ?? ownTime(given, 'startRange', 'NOW-7D', asked.zone),
  end: asked.end ?? ownTime(given, 'endRange', 'NOW', asked.zone),
});

/** Returns the same as `nodeRange`, without what is NONE. */
export function openRange(asked: Asked, given: Given): Partial<TimeRange> {
  const isNone = (name: string): boolean => given[name] === 'NONE';
  const { start, end } = nodeRange(asked, {
    ...(!isNone('startRange') && { startRange: given.startRange }),
    ...(!isNone('endRange') && { endRange: given.endRange }),
  });
  return {
    ...((asked.start || !isNone('startRange')) && { start }),
    ...((asked.end || !isNone('endRange')) && { end }),
  };
}

const ownTime = (given: Given, name: string, fallback: string, zone: EffectiveZone): TimeArgument =>
  readTimeArgument(name, attributesOf(given).text(name, fallback), zone);

/** Returns title and subtitle: as asked, else the path and the description. */
export function titlesOf({ path, attributes }: ChartNode, asked: Pick<ChartArguments, 'title' | 'subtitle'>) {
  return { title: asked.title ?? path, subtitle: asked.subtitle ?? attributesOf(attributes).text('description') };
}

import type { TileStyle } from '@catchment/dashboard-view';
import { notFound } from '@catchment/errors';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import type { NodeClass } from '../../domain/classes/node-class.ts';
import type { ViewedNode } from '../../views/index.ts';

/** A tile's configuration has this form (docs/reference/dashboards-and-reports.md#dashboard). */
export type TileSpec = {
  readonly _id: string;
  readonly type: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly style: TileStyle;
  readonly showAlarms: boolean;
  /** `chart` overrides settings of the parameter. */
  readonly links: readonly { readonly nodeId: string; readonly name?: string; readonly chart?: JsonObject }[];
  readonly config: JsonObject;
};

const PAGE_KINDS = ['dash', 'chart', 'historic'] as const;
type PageKind = (typeof PAGE_KINDS)[number];

/** This page shows any node, as people open it from a mail; the other kinds are those of public links. */
const NODE_PAGE = 'node';

/** Public links have these kinds, and open these nodes (docs/reference/public-pages.md#links). */
export const LINK_KINDS = {
  dash: 'dashboard',
  chart: 'chart',
  historic: 'parameter',
  attachment: 'attachment',
  report: 'report',
} as const;

const PLAIN = { label: '', x: 0, w: 12, style: 'default', showAlarms: false, config: {} } as const;
/** The page of a parameter shows a week up to its newest record. */
const PERIOD = 'LAST-7D';

/**
 * Returns the tiles of a node's page; a chart and a parameter have pages that nobody has designed.
 * @throws DomainError not_found where the node has no such page
 */
export function tilesOf(kind: string, node: ViewedNode): readonly TileSpec[] {
  const cls = nodeClass(node.class);
  const links = [{ nodeId: node.nodeId }];
  if (kind === NODE_PAGE) return nodeTiles(cls, node, links);
  if (LINK_KINDS[kind as PageKind] !== cls.kind) throw notFound();
  switch (kind as PageKind) {
    case 'dash':
      return [...(attributeOf(cls, node.config, 'tiles') as TileSpec[])].sort((a, b) => a.y - b.y || a.x - b.x);
    case 'chart':
      return [chartTile(cls, node)];
    case 'historic': {
      const config = { period: PERIOD, zoom: true };
      const chart: TileSpec = { ...PLAIN, _id: 'chart', type: 'STANDARD_CHART', y: 0, h: 5, links, config };
      const records: TileSpec = { ...PLAIN, _id: 'records', type: 'HISTORIC_TABLE', y: 5, h: 6, links, config };
      return cls.family === 'NUMBER' ? [chart, records] : [{ ...records, y: 0 }];
    }
  }
}

/** A chart over time can be zoomed and moved; the others are pictures. */
function chartTile(cls: NodeClass, { nodeId, config }: ViewedNode): TileSpec {
  const tile = { ...PLAIN, _id: 'chart', y: 0, h: 6 };
  if (cls.name !== 'chart.HistoricChart') return { ...tile, type: 'CUSTOM_CHART', links: [{ nodeId }] };
  const links = (config.links ?? []) as TileSpec['links'];
  const ranges = { startRange: attributeOf(cls, config, 'startRange'), endRange: attributeOf(cls, config, 'endRange') };
  return { ...tile, type: 'STANDARD_CHART', links, config: { ...ranges, zoom: true } };
}

/** Shows first what people want to know of a node: its value and alarms, then its chart or what lies below it. */
function nodeTiles(cls: NodeClass, node: ViewedNode, links: TileSpec['links']): readonly TileSpec[] {
  const alarms: TileSpec[] =
    cls.alarms.length > 0 ? [{ ...PLAIN, _id: 'alarms', type: 'ALARMS', y: 0, h: 3, links }] : [];
  switch (cls.kind) {
    case 'dashboard':
      return tilesOf('dash', node);
    case 'chart':
      return tilesOf('chart', node);
    case 'parameter': {
      const value: TileSpec = { ...PLAIN, _id: 'value', type: 'VALUE', w: 5, y: 0, h: 3, showAlarms: true, links };
      const below = tilesOf('historic', node).map((tile) => ({ ...tile, y: tile.y + 3 }));
      return [value, ...alarms.map((tile) => ({ ...tile, x: 5, w: 7 })), ...below];
    }
    default: {
      const config = { period: 'NOW-30D' };
      const counts: TileSpec = { ...PLAIN, _id: 'counts', type: 'ALARM_SUMMARY', y: 3, h: 3, links, config };
      const map: TileSpec = { ...PLAIN, _id: 'map', type: 'LOCATION_MAP', y: 6, h: 5, links };
      return [...alarms, counts, ...(cls.kind === 'location' ? [map] : [])];
    }
  }
}

/** These read values of a tile's configuration; what is absent is as by default. */
export const periodOf = ({ config }: TileSpec): string => String(config.period ?? 'NOW-7D');

/** Returns `startRange` and `endRange` of a chart that has both ends of its own. */
export const ownBoundsOf = ({ config }: TileSpec): { readonly start: string; readonly end: string } => ({
  start: String(config.startRange ?? ''),
  end: String(config.endRange ?? ''),
});

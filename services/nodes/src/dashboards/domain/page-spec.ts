import type { TileStyle } from '@catchment/dashboard-view';
import { notFound } from '@catchment/errors';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import type { ViewedNode } from '../../views/index.ts';

/** A tile as it is configured (docs/reference/dashboards-and-reports.md#dashboard). */
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
  readonly links: readonly { readonly nodeId: string; readonly name?: string }[];
  readonly config: JsonObject;
};

export const PAGE_KINDS = ['dash', 'chart', 'historic'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Kinds of public links, and the nodes that they open (docs/reference/public-pages.md#links). */
export const LINK_KINDS = {
  dash: 'dashboard',
  chart: 'chart',
  historic: 'parameter',
  attachment: 'attachment',
  report: 'report',
} as const;

const PLAIN = { label: '', x: 0, w: 12, style: 'default', showAlarms: false, config: {} } as const;
/** Of the page of a parameter: a week up to its newest record. */
const PERIOD = 'LAST-7D';

/**
 * The tiles of a node's page; a chart and a parameter have pages that nobody has designed.
 * @throws DomainError not_found where the node has no such page
 */
export function tilesOf(kind: string, node: ViewedNode): readonly TileSpec[] {
  const cls = nodeClass(node.class);
  if (LINK_KINDS[kind as PageKind] !== cls.kind) throw notFound();
  const links = [{ nodeId: node.nodeId }];
  switch (kind as PageKind) {
    case 'dash':
      return [...(attributeOf(cls, node.config, 'tiles') as TileSpec[])].sort((a, b) => a.y - b.y || a.x - b.x);
    case 'chart':
      return [{ ...PLAIN, _id: 'chart', type: 'CUSTOM_CHART', y: 0, h: 6, links }];
    case 'historic': {
      const config = { period: PERIOD, zoom: true };
      const chart: TileSpec = { ...PLAIN, _id: 'chart', type: 'STANDARD_CHART', y: 0, h: 5, links, config };
      const records: TileSpec = { ...PLAIN, _id: 'records', type: 'HISTORIC_TABLE', y: 5, h: 6, links, config };
      return cls.family === 'NUMBER' ? [chart, records] : [{ ...records, y: 0 }];
    }
  }
}

/** Values of a tile's configuration; what is absent is as by default. */
export const periodOf = ({ config }: TileSpec): string => String(config.period ?? 'NOW-7D');

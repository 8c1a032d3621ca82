import { hash } from 'node:crypto';
import type { ParameterView, TileContent, TileView } from '@catchment/dashboard-view';
import { hasExpressions } from '@catchment/expressions';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import { isControl } from '../../domain/classes/node-class.ts';
import { referencesIn } from '../../domain/classes/references.ts';
import type { Reader, ViewedNode } from '../../views/index.ts';
import { ownBoundsOf, periodOf, type TileSpec } from './page-spec.ts';
import { parameterView, seriesView } from './parameter-view.ts';
import { staticText, type TextNodes } from './static-text.ts';

/** A page shows all this. */
export type PageContent = {
  readonly page: ViewedNode;
  readonly tiles: readonly TileSpec[];
  /**
   * These are linked nodes, and what those refer to: attachments, parameters of charts. Nodes that are gone, lie in another workspace or
   * are closed to the caller are not among them.
   */
  readonly nodes: ReadonlyMap<string, ViewedNode>;
  readonly texts: TextNodes;
  readonly reader: Reader;
  readonly names: ClassNames;
  readonly nowMs: number;
  /** True if the caller may have files (docs/reference/people-and-security.md#permission-by-operation). */
  readonly mayReadFiles: boolean;
  readonly mayControl: boolean;
  readonly mayAcknowledge: boolean;
};

/** What a tile shows beside itself has this address; with the attachment, where it is one. */
export type TileAddress = (tileId: string, what: string, file?: ViewedNode) => string;

type Address = (what: string, file?: ViewedNode) => string;

/** Returns a tile as it is shown at the moment (docs/reference/dashboards-and-reports.md#tiles). */
export function tileView(tile: TileSpec, content: PageContent, address: TileAddress): TileView {
  const { _id: id, label, x, y, w, h, style } = tile;
  const alarm = tile.showAlarms ? alarmOf(linkedNodes(tile, content)) : null;
  return {
    id,
    label,
    x,
    y,
    w,
    h,
    style,
    alarm,
    content: contentOf(tile, content, (what, file) => address(id, what, file)),
  };
}

/** Returns the linked nodes in the order of the links, without broken ones. */
export const linkedNodes = ({ links }: TileSpec, { nodes }: Pick<PageContent, 'nodes'>): ViewedNode[] =>
  links.flatMap(({ nodeId }) => nodes.get(nodeId) ?? []);

function alarmOf(nodes: readonly ViewedNode[]): TileView['alarm'] {
  const states = nodes.flatMap(({ alarms }) => Object.values(alarms).map(({ alarmState }) => alarmState));
  return (['ACTIVE', 'ACKNOWLEDGED'] as const).find((state) => states.includes(state)) ?? null;
}

/** Returns alarms that are raised, those first that nobody has taken on. */
function raised({ alarms }: ViewedNode): Extract<TileContent, { type: 'ALARMS' }>['alarms'] {
  return Object.entries(alarms)
    .flatMap(([type, { alarmState, message, activeTime, acknowledgeUsername }]) => {
      if (alarmState !== 'ACTIVE' && alarmState !== 'ACKNOWLEDGED') return [];
      const time = activeTime === null ? null : formatIsoMs(activeTime);
      return [{ type, state: alarmState, message: message ?? '', time, by: acknowledgeUsername } as const];
    })
    .sort((a, b) => a.state.localeCompare(b.state) * -1 || a.type.localeCompare(b.type));
}

function contentOf(tile: TileSpec, content: PageContent, address: Address): TileContent {
  const { nodes, reader } = content;
  const { config } = tile;
  const named = tile.links.map(({ nodeId, name, chart }) => {
    const node = nodes.get(nodeId);
    return node && { node, name: name || node.name, chart };
  });
  const [first] = named;
  const parameters = (): (ParameterView | null)[] =>
    named.map((series) => (series ? parameterView(series.node, series.name, reader) : null));
  switch (tile.type) {
    case 'VALUE': {
      const canControl = first && content.mayControl && isControl(nodeClass(first.node.class));
      return {
        type: 'VALUE',
        parameter: parameters()[0] ?? null,
        ...(canControl && { control: { nodeId: first.node.nodeId } }),
      };
    }
    case 'VALUE_LIST':
      return { type: 'VALUE_LIST', parameters: parameters() };
    case 'HISTORIC_TABLE':
      return {
        type: 'HISTORIC_TABLE',
        period: periodOf(tile),
        dataUrl: address('records'),
        revision: revisionOf(linkedNodes(tile, content)),
      };
    case 'STANDARD_CHART':
      return {
        type: 'STANDARD_CHART',
        period: ownBoundsOf(tile).start || periodOf(tile),
        zoom: config.zoom !== false,
        series: named.map((line, i) => (line ? seriesView(line.node, line.name, i, line.chart) : null)),
        dataUrl: address('series'),
        revision: revisionOf(linkedNodes(tile, content)),
      };
    case 'CUSTOM_CHART':
      return {
        type: 'CUSTOM_CHART',
        name: first?.name ?? '',
        imageUrl: first ? address('image') : null,
        revision: first ? revisionOf([first.node, ...referredNodes(first.node, nodes)]) : '',
      };
    case 'ALARMS':
      return {
        type: 'ALARMS',
        nodeId: first?.node.nodeId ?? '',
        canAcknowledge: content.mayAcknowledge,
        alarms: first ? raised(first.node) : [],
      };
    case 'ALARM_SUMMARY':
      return { type: 'ALARM_SUMMARY', name: first?.name ?? null, period: periodOf(tile), counts: [] };
    case 'LOCATION_MAP':
      return mapOf(tile, first, content, address);
    case 'ATTACHMENT_IMAGE': {
      const image = first && pictureOf(first.node, content);
      return {
        type: 'ATTACHMENT_IMAGE',
        name: first?.name ?? null,
        imageUrl: image ? versioned(address('image', image), image) : null,
        time: image ? formatIsoMs(image.createdMs) : null,
      };
    }
    case 'SOLID_GAUGE':
      return {
        type: 'SOLID_GAUGE',
        parameter: parameters()[0] ?? null,
        minimum: Number(config.minimum ?? 0),
        maximum: Number(config.maximum ?? 100),
        shape: config.shape === 'FULL' ? 'FULL' : 'HALF',
      };
    default:
      return { type: 'STATIC_TEXT', text: textOf(config, content) };
  }
}

function textOf(config: JsonObject, content: PageContent): string {
  const source = String(config.content ?? '');
  return hasExpressions(source) ? staticText(source, content.texts, content) : source;
}

function mapOf(
  { config }: TileSpec,
  first: { readonly node: ViewedNode; readonly name: string } | undefined,
  content: PageContent,
  address: Address,
): TileContent {
  const position = first?.node.edges.current?.value;
  const marker = (first && attributeOf(nodeClass(first.node.class), first.node.config, 'marker')) as {
    color?: string;
    icon?: string;
  } | null;
  const image = first && pictureOf(first.node, content);
  return {
    type: 'LOCATION_MAP',
    name: first?.name ?? null,
    position: Array.isArray(position) ? { latitude: position[0], longitude: position[1] } : null,
    zoom: Number(config.zoom ?? 12),
    mapStyle: (config.mapStyle as string | undefined) ?? null,
    marker: { color: marker?.color ?? null, icon: marker?.icon ?? null },
    layers: first
      ? mapLayers(content).map(({ label, attachment }, n) => ({
          label,
          url: versioned(address(`layers/${n}`, attachment), attachment),
        }))
      : [],
    imageUrl: image ? versioned(address('image', image), image) : null,
  };
}

type Layer = { readonly label: string; readonly type: string; readonly attachmentId?: string };

/** Returns layers of the Workspace that are files of it: a page loads nothing of other servers. */
export function mapLayers({ texts: { workspace }, nodes, mayReadFiles }: PageContent) {
  const layers = (workspace?.config.mapLayers ?? []) as readonly Layer[];
  return layers.flatMap(({ label, type, attachmentId }) => {
    const attachment = type === 'LOCAL' && mayReadFiles ? nodes.get(attachmentId ?? '') : undefined;
    return attachment?.config.file ? [{ label, attachment }] : [];
  });
}

/** Finds the picture of a node: itself, the newest of an attachment source, that of a Location. */
export function pictureOf(node: ViewedNode, { nodes, mayReadFiles }: PageContent): ViewedNode | undefined {
  const id = pictureIdOf(node);
  const attachment = id === undefined || !mayReadFiles ? undefined : nodes.get(id);
  const file = attachment?.config.file;
  return file && (file.mimeType.startsWith('image/') || file.previewSize > 0) ? attachment : undefined;
}

function pictureIdOf(node: ViewedNode): string | undefined {
  const { kind } = nodeClass(node.class);
  if (kind === 'attachment') return node.nodeId;
  return node.newestAttachmentId ?? (node.config.imageAttachmentId as string | undefined);
}

/** Returns nodes that tiles show beside those that they link to. */
export function furtherIds(nodes: Iterable<ViewedNode>, workspace: ViewedNode | undefined): Set<string> {
  const ids = new Set<string>();
  for (const node of nodes) {
    const id = pictureIdOf(node);
    if (id !== undefined) ids.add(id);
    const cls = nodeClass(node.class);
    if (cls.kind === 'chart') for (const reference of referencesIn(cls, node.config)) ids.add(reference);
  }
  for (const { attachmentId } of (workspace?.config.mapLayers ?? []) as readonly Layer[])
    if (attachmentId !== undefined) ids.add(attachmentId);
  return ids;
}

const referredNodes = (chart: ViewedNode, nodes: ReadonlyMap<string, ViewedNode>): ViewedNode[] =>
  [...referencesIn(nodeClass(chart.class), chart.config)].flatMap((id) => nodes.get(id) ?? []);

/** Returns another text when what is drawn of nodes may be another. */
const revisionOf = (nodes: readonly ViewedNode[]): string =>
  short(nodes.map(({ revision, updatedMs, edges }) => [revision, updatedMs, edges.current?.ms ?? null]));

/** A picture that has changed has another address. */
const versioned = (address: string, { nodeId, config }: ViewedNode): string =>
  `${address}${address.includes('?') ? '&' : '?'}v=${short([nodeId, config.file?.id ?? ''])}`;

const short = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 12);

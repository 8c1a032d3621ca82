import type { DashboardView } from '@catchment/dashboard-view';
import type { GeoJsonObject } from 'geojson';
import L from 'leaflet';
import Supercluster, { type ClusterProperties } from 'supercluster';
import { element, escaped, groundMap } from './ground.ts';
import { overlayOf } from './overlays.ts';

export type SiteState = 'ACTIVE' | 'ACKNOWLEDGED' | 'NORMAL';
export type Site = {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly state: SiteState;
};
export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

export type SitesMapOptions = {
  readonly tiles: DashboardView['mapTiles'];
  /** The map shows this first; absent for all sites. */
  readonly box?: Box | undefined;
  readonly zoomTexts: { readonly in: string; readonly out: string };
  readonly onBox: (box: Box) => void;
  readonly onChoose: (id: string) => void;
  /** Names a marker, for readers who do not see it. */
  readonly siteText: (site: Site) => string;
  readonly clusterText: (count: number, state: SiteState, ofState: number) => string;
};

/** Layers are switched on and off, and read when they are. */
type SitesMapLayers = {
  readonly title: string;
  readonly layers: readonly { readonly id: string; readonly label: string; readonly isOn: boolean }[];
  readonly read: (id: string, signal: AbortSignal) => Promise<GeoJsonObject>;
  readonly onChoose: (id: string, isOn: boolean) => void;
  readonly onFailed: (label: string, error: unknown) => void;
};

export type SitesMap = {
  readonly show: (sites: readonly Site[], chosen: string | undefined) => void;
  /** Brings a site into sight. */
  readonly goTo: (site: Site) => void;
  readonly showAll: () => void;
  readonly offer: (layers: SitesMapLayers) => void;
  readonly close: () => void;
};

/** Places that are nearer than this on the screen, in pixels, are drawn as one. */
const RADIUS = 48;
const NEAREST = 17;
const ALONE_ZOOM = 12;
const FIT: L.FitBoundsOptions = { padding: [36, 36], maxZoom: ALONE_ZOOM, animate: false };
const RANK: Readonly<Record<SiteState, number>> = { NORMAL: 0, ACKNOWLEDGED: 1, ACTIVE: 2 };

type Mark = { readonly active: number; readonly acknowledged: number };
const markOf = ({ state }: Site): Mark => ({
  active: state === 'ACTIVE' ? 1 : 0,
  acknowledged: state === 'ACKNOWLEDGED' ? 1 : 0,
});
const stateOf = ({ active, acknowledged }: Mark): SiteState =>
  active > 0 ? 'ACTIVE' : acknowledged > 0 ? 'ACKNOWLEDGED' : 'NORMAL';

/** A marker is made, unless one of the same signature is there. */
type Drawing = { readonly signature: string; readonly make: () => L.Marker };

/** Shows any number of places, those that are near each other as one; each shows by a colour and a sign what is raised there. */
export function openSitesMap(host: HTMLElement, options: SitesMapOptions): SitesMap {
  const stop = new AbortController();
  const { tiles, zoomTexts } = options;
  const look = { isWandering: true, takesWheel: true } as const;
  const map = groundMap(host, { at: [20, 0], zoom: 1, tiles, zoomTexts, ...look, signal: stop.signal });
  map.setMinZoom(1);
  const layer = L.layerGroup().addTo(map);
  let clusters = clustersOf([]);
  let all: readonly Site[] = [];
  let chosen: string | undefined;
  let isPlaced = options.box !== undefined;
  if (options.box) map.fitBounds(boundsOf(options.box), { animate: false });

  const showAll = () => {
    if (all.length > 0) map.fitBounds(L.latLngBounds(all.map(({ latitude, longitude }) => [latitude, longitude])), FIT);
  };
  /** The markers are known by all that is seen and heard of them: what stays the same stays. */
  let drawn = new Map<string, L.Marker>();
  const draw = () => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.key;
    const bounds = map.getBounds().pad(0.2);
    const box: [number, number, number, number] = [
      Math.max(bounds.getWest(), -180),
      Math.max(bounds.getSouth(), -85),
      Math.min(bounds.getEast(), 180),
      Math.min(bounds.getNorth(), 85),
    ];
    const next = new Map<string, L.Marker>();
    for (const found of clusters.getClusters(box, Math.round(map.getZoom()))) {
      const [longitude = 0, latitude = 0] = found.geometry.coordinates;
      const mark = 'cluster' in found.properties ? clusterMark(found.properties) : siteMark(found.properties.site);
      const signature = `${mark.signature} ${latitude} ${longitude}`;
      const marker = drawn.get(signature) ?? mark.make().setLatLng([latitude, longitude]);
      next.set(signature, marker);
    }
    for (const [signature, marker] of drawn) if (!next.has(signature)) layer.removeLayer(marker);
    for (const [signature, marker] of next) if (!drawn.has(signature)) layer.addLayer(marker);
    drawn = next;
    if (focused !== undefined) host.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  };

  function clusterMark(found: ClusterProperties & Mark): Drawing {
    const state = stateOf(found);
    const ofState = state === 'ACTIVE' ? found.active : state === 'ACKNOWLEDGED' ? found.acknowledged : 0;
    const label = options.clusterText(found.point_count, state, ofState);
    const key = `cluster ${found.cluster_id}`;
    const make = () => {
      const size = found.point_count < 10 ? 34 : found.point_count < 100 ? 40 : 46;
      const html = element('span', `cluster is-${state.toLowerCase()}`);
      html.append(...signOf(state), String(found.point_count_abbreviated));
      const marker = markerOf(html, size, label, key);
      marker.on('click', () => {
        const zoom = Math.min(clusters.getClusterExpansionZoom(found.cluster_id), NEAREST);
        map.setView(marker.getLatLng(), zoom);
      });
      return marker;
    };
    return { signature: `${key} ${label}`, make };
  }

  function siteMark(site: Site): Drawing {
    const isChosen = site.id === chosen;
    const label = options.siteText(site);
    const make = () => {
      const html = element('span', `site is-${site.state.toLowerCase()}${isChosen ? ' is-chosen' : ''}`);
      html.append(...signOf(site.state));
      const marker = markerOf(html, 26, label, site.id);
      marker.setZIndexOffset(RANK[site.state] * 1_000 + (isChosen ? 5_000 : 0));
      marker.on('click', () => options.onChoose(site.id));
      return marker;
    };
    return { signature: `${site.id} ${label} ${isChosen}`, make };
  }

  map.on('moveend', () => {
    draw();
    if (!isPlaced) return;
    const bounds = map.getBounds();
    options.onBox({
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    });
  });

  return {
    show(sites, id) {
      const isSame = sites === all;
      all = sites;
      chosen = id;
      if (!isSame) clusters = clustersOf(sites);
      if (!isPlaced && sites.length > 0) {
        showAll();
        isPlaced = true;
      }
      draw();
    },
    goTo({ latitude, longitude }) {
      map.setView([latitude, longitude], Math.max(map.getZoom(), ALONE_ZOOM));
    },
    showAll,
    offer: (offered) => offerLayers(map, offered, stop.signal),
    close() {
      stop.abort();
      map.remove();
    },
  };
}

function offerLayers(map: L.Map, { title, layers, read, onChoose, onFailed }: SitesMapLayers, signal: AbortSignal) {
  const control = L.control.layers({}, {}, { collapsed: true, position: 'topleft' });
  for (const { id, label, isOn } of layers) {
    const group = L.layerGroup();
    group.on('add', () => {
      if (group.getLayers().length > 0) return;
      read(id, signal).then(
        (data) => overlayOf(data).addTo(group),
        (error: unknown) => {
          if (!signal.aborted) onFailed(label, error);
        },
      );
    });
    control.addOverlay(group, escaped(label));
    if (isOn) group.addTo(map);
    group.on('add remove', ({ type }) => {
      // A layer that went with the map was not switched off.
      if (!signal.aborted) onChoose(id, type === 'add');
    });
  }
  control.addTo(map);
  const button = control.getContainer()?.querySelector('a');
  button?.setAttribute('title', title);
  button?.setAttribute('aria-label', title);
}

const boundsOf = ({ west, south, east, north }: Box): L.LatLngBoundsExpression => [
  [south, west],
  [north, east],
];

function clustersOf(sites: readonly Site[]) {
  const made = new Supercluster<Mark & { site: Site }, Mark>({
    radius: RADIUS,
    // A tile of the map has as many pixels.
    extent: 256,
    maxZoom: NEAREST - 1,
    map: ({ site }) => markOf(site),
    reduce: (sum: { active: number; acknowledged: number }, cluster) => {
      sum.active += cluster.active;
      sum.acknowledged += cluster.acknowledged;
    },
  });
  made.load(
    sites.map((site) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [site.longitude, site.latitude] },
      properties: { site, ...markOf(site) },
    })),
  );
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';
const SIGNS: Readonly<Record<SiteState, string | undefined>> = {
  ACTIVE: 'M8 3v6M8 12v.4',
  ACKNOWLEDGED: 'M3.4 8.4 6.6 11.6 12.6 5',
  NORMAL: undefined,
};

/** Draws the sign that a state has beside its colour. */
function signOf(state: SiteState): Node[] {
  const path = SIGNS[state];
  if (path === undefined) return [];
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return [svg];
}

function markerOf(html: HTMLElement, size: number, label: string, key: string): L.Marker {
  const icon = L.divIcon({ html, className: 'mark-place', iconSize: [size, size], iconAnchor: [size / 2, size / 2] });
  const marker = L.marker([0, 0], { icon, keyboard: true, title: label });
  marker.on('add', () => {
    const place = marker.getElement();
    place?.setAttribute('aria-label', label);
    if (place) place.dataset.key = key;
  });
  return marker;
}

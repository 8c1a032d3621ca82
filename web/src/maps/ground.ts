import type { DashboardView } from '@catchment/dashboard-view';
import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { showLand } from './land.ts';
import { lines, lineText } from './position.ts';

export type Ground = {
  readonly at: L.LatLngTuple;
  readonly zoom: number;
  readonly tiles: DashboardView['mapTiles'];
  readonly signal: AbortSignal;
  /** Absent: in English. */
  readonly zoomTexts?: { readonly in: string; readonly out: string } | undefined;
  /** The small map of the world shows where the map is now, and not where it began. */
  readonly isWandering?: boolean;
  /** The page does not scroll past this map: the wheel always zooms. */
  readonly takesWheel?: boolean;
};

/** Opens an empty map in `host`: the configured tiles, otherwise outlines of land and lines of latitude and longitude. */
export function groundMap(
  host: HTMLElement,
  { at, zoom, tiles, signal, zoomTexts, isWandering = false, takesWheel = false }: Ground,
): L.Map {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(host, {
    center: at,
    zoom,
    maxZoom: 22,
    // A page that is scrolled does not zoom the maps that it passes.
    scrollWheelZoom: takesWheel,
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
    attributionControl: tiles !== null,
    zoomControl: false,
  });
  const titles = zoomTexts && { zoomInTitle: zoomTexts.in, zoomOutTitle: zoomTexts.out };
  L.control.zoom({ ...titles }).addTo(map);
  if (!takesWheel) {
    map.on('focus', () => map.scrollWheelZoom.enable());
    map.on('blur', () => map.scrollWheelZoom.disable());
  }
  map.attributionControl?.setPrefix(false);
  if (tiles !== null)
    L.tileLayer(tiles.url, { attribution: escaped(tiles.attribution), maxZoom: 22, maxNativeZoom: 19 }).addTo(map);
  else {
    graticule(map);
    // A map without outlines is as good as it can be.
    showLand(map, isWandering ? undefined : { latitude: at[0], longitude: at[1] }, signal).catch(() => {});
  }
  L.control.scale({ imperial: false }).addTo(map);
  const observer = new ResizeObserver(() => {
    map.invalidateSize({ animate: false });
    const { x, y } = map.getSize();
    host.style.setProperty('--width', `${x}px`);
    host.style.setProperty('--height', `${y}px`);
  });
  observer.observe(host);
  signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  return map;
}

export function escaped(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}

export function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Controls stand here, in pixels: the edges have no texts there. */
const CORNER = { left: 90, right: 170, top: 60, bottom: 70 };

/** Draws lines of latitude and longitude: without a background, they show where a place is and how far away another. */
function graticule(map: L.Map): void {
  const group = L.layerGroup().addTo(map);
  const draw = () => {
    group.clearLayers();
    const bounds = map.getBounds().pad(0.1);
    const [west, east] = [Math.max(bounds.getWest(), -540), Math.min(bounds.getEast(), 540)];
    const [south, north] = [Math.max(bounds.getSouth(), -85), Math.min(bounds.getNorth(), 85)];
    const line = (from: L.LatLngTuple, to: L.LatLngTuple) =>
      L.polyline([from, to], { className: 'graticule', interactive: false, weight: 1 }).addTo(group);
    const text = (where: L.LatLngTuple, label: string, side: string) =>
      L.marker(where, {
        interactive: false,
        keyboard: false,
        icon: L.divIcon({ html: element('span', '', label), className: `degrees is-${side}`, iconSize: [0, 0] }),
      }).addTo(group);
    const shown = map.getBounds();
    const size = map.getSize();
    const meridians = lines(west, east);
    for (const at of meridians.at) {
      line([south, at], [north, at]);
      const { x } = map.latLngToContainerPoint([shown.getSouth(), at]);
      if (x > CORNER.left && x < size.x - CORNER.right)
        text([shown.getSouth(), at], lineText(at, meridians.step, ['E', 'W']), 'bottom');
    }
    const parallels = lines(south, north);
    for (const at of parallels.at) {
      line([at, west], [at, east]);
      const { y } = map.latLngToContainerPoint([at, shown.getEast()]);
      if (y > CORNER.top && y < size.y - CORNER.bottom)
        text([at, shown.getEast()], lineText(at, parallels.step, ['N', 'S']), 'right');
    }
  };
  draw();
  map.on('moveend resize', draw);
}

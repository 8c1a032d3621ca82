import type { DashboardView, TileContent } from '@catchment/dashboard-view';
import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { showLand } from './land.ts';
import { layerData } from './layers.ts';
import { lines, lineText, type Position, positionText } from './position.ts';

type MapContent = Omit<Extract<TileContent, { type: 'LOCATION_MAP' }>, 'position'> & { readonly position: Position };

/** A map in `host`; what Leaflet takes as HTML is given as elements or as escaped text. @returns what takes it away */
export function showMap(host: HTMLElement, content: MapContent, tiles: DashboardView['mapTiles']): () => void {
  const stop = new AbortController();
  const at: L.LatLngTuple = [content.position.latitude, content.position.longitude];
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(host, {
    center: at,
    zoom: content.zoom,
    maxZoom: 22,
    // A page that is scrolled does not zoom the maps that it passes.
    scrollWheelZoom: false,
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
    attributionControl: tiles !== null,
  });
  map.on('focus', () => map.scrollWheelZoom.enable());
  map.on('blur', () => map.scrollWheelZoom.disable());
  map.attributionControl?.setPrefix(false);
  if (tiles !== null)
    L.tileLayer(tiles.url, { attribution: escaped(tiles.attribution), maxZoom: 22, maxNativeZoom: 19 }).addTo(map);
  else {
    graticule(map);
    // A map without outlines is as good as it can be.
    showLand(map, content.position, stop.signal).catch(() => {});
  }
  L.control.scale({ imperial: false }).addTo(map);

  const marker = L.marker(at, { icon: pin(content), alt: content.name ?? 'Location', title: content.name ?? '' });
  marker.bindPopup(popup(content), { minWidth: content.imageUrl === null ? 80 : 200, maxWidth: 260 }).addTo(map);
  addLayers(map, content.layers, stop.signal);

  const observer = new ResizeObserver(() => {
    map.invalidateSize({ animate: false });
    const { x, y } = map.getSize();
    host.style.setProperty('--width', `${x}px`);
    host.style.setProperty('--height', `${y}px`);
  });
  observer.observe(host);
  return () => {
    stop.abort();
    observer.disconnect();
    map.remove();
  };
}

function escaped(text: string): string {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML;
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function pin({ marker }: MapContent): L.DivIcon {
  const SVG = 'http://www.w3.org/2000/svg';
  const html = element('div', 'pin');
  if (marker.color !== null) html.style.setProperty('--pin', marker.color);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 32');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', 'M12 1a10.5 10.5 0 0 1 10.5 10.5C22.5 19 12 31 12 31S1.5 19 1.5 11.5A10.5 10.5 0 0 1 12 1Z');
  const hole = document.createElementNS(SVG, 'circle');
  for (const [name, value] of [
    ['cx', '12'],
    ['cy', '11.5'],
    ['r', '4'],
  ] as const)
    hole.setAttribute(name, value);
  svg.append(shape, hole);
  html.append(svg);
  return L.divIcon({ html, className: 'pin-place', iconSize: [28, 38], iconAnchor: [14, 37], popupAnchor: [0, -34] });
}

function popup({ name, position, imageUrl }: MapContent): HTMLElement {
  const content = element('div', 'place');
  content.append(element('strong', '', name ?? 'Location'), element('span', '', positionText(position)));
  if (imageUrl !== null) {
    const image = element('img', '') as HTMLImageElement;
    image.src = imageUrl;
    image.alt = `Picture of ${name ?? 'the Location'}`;
    content.append(image);
  }
  return content;
}

/** Where controls stand, in pixels: the edges have no texts there. */
const CORNER = { left: 90, right: 170, top: 60, bottom: 70 };

/** Lines of latitude and longitude: without a background, they tell where a place is and how far away another. */
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

/** Layers of the Workspace, each to be switched off; one that cannot be read says so in its name. */
function addLayers(map: L.Map, layers: MapContent['layers'], signal: AbortSignal): void {
  if (layers.length === 0) return;
  const control = L.control.layers({}, {}, { collapsed: true }).addTo(map);
  for (const { label, url } of layers) {
    const group = L.layerGroup().addTo(map);
    control.addOverlay(group, escaped(label));
    layerData(url, signal).then(
      (data) => {
        L.geoJSON(data, {
          style: (feature) => ({
            className: /Line/.test(feature?.geometry.type ?? '') ? 'layer' : 'layer is-area',
            weight: 2,
          }),
          pointToLayer: (_, where) => L.circleMarker(where, { radius: 5 }),
          onEachFeature: ({ properties }, layer) => {
            const name: unknown = properties?.name;
            if (typeof name === 'string' && name !== '') layer.bindPopup(element('span', 'place', name));
          },
        }).addTo(group);
      },
      () => {
        if (signal.aborted) return;
        control.removeLayer(group);
        control.addOverlay(group, escaped(`${label} (could not be read)`));
      },
    );
  }
}

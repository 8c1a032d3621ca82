import type { DashboardView, TileContent } from '@catchment/dashboard-view';
import L from 'leaflet';
import { element, escaped, groundMap } from './ground.ts';
import { layerData } from './layers.ts';
import { overlayOf } from './overlays.ts';
import { type Position, positionText } from './position.ts';

type MapContent = Omit<Extract<TileContent, { type: 'LOCATION_MAP' }>, 'position'> & { readonly position: Position };

/** Opens a map in `host`; what Leaflet takes as HTML is given as elements or as escaped text. @returns what takes it away */
export function showMap(host: HTMLElement, content: MapContent, tiles: DashboardView['mapTiles']): () => void {
  const stop = new AbortController();
  const at: L.LatLngTuple = [content.position.latitude, content.position.longitude];
  const map = groundMap(host, { at, zoom: content.zoom, tiles, signal: stop.signal });
  const marker = L.marker(at, { icon: pin(content), alt: content.name ?? 'Location', title: content.name ?? '' });
  marker.bindPopup(popup(content), { minWidth: content.imageUrl === null ? 80 : 200, maxWidth: 260 }).addTo(map);
  addLayers(map, content.layers, stop.signal);

  return () => {
    stop.abort();
    map.remove();
  };
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

/** Adds layers of the Workspace, each to be switched off; one that cannot be read says so in its name. */
function addLayers(map: L.Map, layers: MapContent['layers'], signal: AbortSignal): void {
  if (layers.length === 0) return;
  const control = L.control.layers({}, {}, { collapsed: true }).addTo(map);
  for (const { label, url } of layers) {
    const group = L.layerGroup().addTo(map);
    control.addOverlay(group, escaped(label));
    layerData(url, signal).then(
      (data) => {
        overlayOf(data).addTo(group);
      },
      () => {
        if (signal.aborted) return;
        control.removeLayer(group);
        control.addOverlay(group, escaped(`${label} (could not be read)`));
      },
    );
  }
}

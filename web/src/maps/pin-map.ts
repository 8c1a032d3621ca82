import type { DashboardView } from '@catchment/dashboard-view';
import L from 'leaflet';
import { groundMap } from './ground.ts';
import type { Position } from './position.ts';

export type PinMap = {
  /** Moves the pin, and the map where it is out of sight. */
  readonly put: (position: Position | undefined) => void;
  readonly close: () => void;
};

type PinMapOptions = {
  readonly tiles: DashboardView['mapTiles'];
  readonly zoomTexts: { readonly in: string; readonly out: string };
  readonly pinText: string;
  /** These are in sight first, such as the places that are there. */
  readonly near: readonly Position[];
  readonly onPin: (position: Position) => void;
};

const WORLD = { at: [25, 10], zoom: 1 } as const;
const NEAR = { padding: [30, 30] as [number, number], maxZoom: 9, animate: false };
/** This many digits make about a metre. */
const DIGITS = 5;
const rounded = (value: number): number => Number(value.toFixed(DIGITS));

/** Opens a map on which a click puts the one pin. Coordinates can be typed instead: the pin is no stop of the tab key. */
export function openPinMap(host: HTMLElement, { tiles, zoomTexts, pinText, near, onPin }: PinMapOptions): PinMap {
  const stop = new AbortController();
  const look = { zoom: WORLD.zoom, isWandering: true } as const;
  const map = groundMap(host, { at: [...WORLD.at], tiles, zoomTexts, ...look, signal: stop.signal });
  if (near.length > 0)
    map.fitBounds(L.latLngBounds(near.map(({ latitude, longitude }) => [latitude, longitude])), NEAR);
  const html = document.createElement('span');
  html.className = 'pin-dot';
  const icon = L.divIcon({ html, className: 'pin-place', iconSize: [22, 22], iconAnchor: [11, 11] });
  let marker: L.Marker | undefined;
  const choose = ({ lat, lng }: L.LatLng) => {
    const { lng: longitude } = L.latLng(lat, lng).wrap();
    onPin({ latitude: rounded(lat), longitude: rounded(longitude) });
  };
  const put = (position: Position | undefined) => {
    if (position === undefined) {
      marker?.remove();
      marker = undefined;
      return;
    }
    const at = L.latLng(position.latitude, position.longitude);
    if (marker === undefined) {
      marker = L.marker(at, { icon, draggable: true, keyboard: false, alt: pinText, title: pinText }).addTo(map);
      marker.on('dragend', () => marker && choose(marker.getLatLng()));
    } else marker.setLatLng(at);
    if (!map.getBounds().contains(at)) map.setView(at, Math.max(map.getZoom(), NEAR.maxZoom), { animate: false });
  };
  map.on('click', ({ latlng }: L.LeafletMouseEvent) => choose(latlng));
  return {
    put,
    close: () => {
      stop.abort();
      map.remove();
    },
  };
}

import type { GeoJsonObject } from 'geojson';
import L from 'leaflet';
import { element } from './ground.ts';

/** Draws a layer of a Workspace for any map; a click shows names. */
export function overlayOf(data: GeoJsonObject): L.GeoJSON {
  return L.geoJSON(data, {
    style: (feature) => ({
      className: /Line/.test(feature?.geometry.type ?? '') ? 'layer' : 'layer is-area',
      weight: 2,
    }),
    pointToLayer: (_, where) => L.circleMarker(where, { radius: 5 }),
    onEachFeature: ({ properties }, layer) => {
      const name: unknown = properties?.name;
      if (typeof name === 'string' && name !== '') layer.bindPopup(element('span', 'place', name));
    },
  });
}

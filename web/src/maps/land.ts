import L from 'leaflet';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Position } from './position.ts';

type Land = GeoJSON.FeatureCollection;

/** Coasts that are drawn for the whole world are wrong by kilometres: nearer than this, they show where on earth a map is, and no more. */
const NEAREST = 6;
/** The world is drawn once more on both sides, for maps that reach beyond the date line. */
const TURNS = [-360, 0, 360];

/** Loads outlines of land (Natural Earth, 1:110 million), which come when a map is drawn without tiles. */
async function landData(): Promise<Land> {
  const { default: world } = await import('world-atlas/land-110m.json', { with: { type: 'json' } });
  const topology = world as unknown as Topology<{ land: GeometryCollection }>;
  const land = feature(topology, topology.objects.land);
  return { ...land, features: land.features.map((feature) => ({ ...feature, geometry: unwrapped(feature.geometry) })) };
}

const ringsOf = (geometry: GeoJSON.Geometry): GeoJSON.Position[][][] =>
  geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [];

/** Coasts that cross the date line go on beyond it: a jump to its other side would be a line around the world. */
function unwrapped(geometry: GeoJSON.Geometry): GeoJSON.MultiPolygon {
  const coordinates = ringsOf(geometry).map((rings) =>
    rings.map((ring) => {
      let turn = 0;
      let before = ring[0]?.[0] ?? 0;
      return ring.map(([longitude = 0, latitude = 0]) => {
        if (longitude - before > 180) turn -= 360;
        if (longitude - before < -180) turn += 360;
        before = longitude;
        return [longitude + turn, latitude];
      });
    }),
  );
  return { type: 'MultiPolygon', coordinates };
}

/**
 * Shows land beneath everything else of a map; where the map is nearer, a small one of the world says where it is.
 * @param at what the small one marks; undefined: the middle of the map
 */
export async function showLand(map: L.Map, at: Position | undefined, signal: AbortSignal): Promise<void> {
  const land = await landData();
  if (signal.aborted) return;
  map.createPane('land').classList.add('land-pane');
  const outlines = L.layerGroup(
    TURNS.map((turn) =>
      L.geoJSON(land, {
        pane: 'land',
        interactive: false,
        style: { className: 'land', weight: 1 },
        coordsToLatLng: ([longitude = 0, latitude = 0]) => L.latLng(latitude, longitude + turn),
      }),
    ),
  );
  const world = new L.Control({ position: 'bottomright' });
  world.onAdd = () => worldMap(land, at ?? centreOf(map));
  const choose = () => {
    const isNear = map.getZoom() > NEAREST;
    if (isNear) outlines.remove();
    else outlines.addTo(map);
    // The small map is made anew, with the mark where the map is.
    if (isNear && at === undefined) world.remove();
    if (isNear) world.addTo(map);
    else world.remove();
  };
  choose();
  map.on(at === undefined ? 'moveend' : 'zoomend', choose);
}

function centreOf(map: L.Map): Position {
  const { lat, lng } = map.getCenter().wrap();
  return { latitude: lat, longitude: lng };
}

const SVG = 'http://www.w3.org/2000/svg';

function shape(name: string, given: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  return made;
}

/** Draws the world with a mark, a degree for each unit. */
function worldMap(land: Land, { latitude, longitude }: Position): HTMLElement {
  const svg = shape('svg', { viewBox: '-180 -84 360 168', 'aria-hidden': 'true', focusable: 'false' });
  svg.append(
    shape('path', { class: 'land', d: land.features.map(({ geometry }) => pathOf(geometry)).join('') }),
    shape('circle', { class: 'here', cx: String(longitude), cy: String(-latitude), r: '9' }),
  );
  const host = document.createElement('div');
  host.className = 'world';
  host.append(svg);
  return host;
}

/** Rings that go on beyond the date line are drawn on its other side too. */
const pathOf = (geometry: GeoJSON.Geometry): string =>
  ringsOf(geometry)
    .flat()
    .flatMap((ring) =>
      TURNS.map((turn) => ring.map(([longitude = 0, latitude = 0]) => [longitude + turn, latitude] as const)),
    )
    .filter((ring) => ring.some(([longitude]) => longitude > -180 && longitude < 180))
    .map((ring) => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${(-y).toFixed(1)}`).join('L')}Z`)
    .join('');

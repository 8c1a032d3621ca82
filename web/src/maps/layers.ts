import type { GeoJsonObject } from 'geojson';
import { getText } from '../live/requests.ts';

/** GeoJSON and KML are distinguished by their first character. */
export async function layerData(url: string, signal: AbortSignal): Promise<GeoJsonObject> {
  const text = (await getText(url, signal)).trimStart().replace(/^\ufeff/, '');
  if (!text.startsWith('<')) return JSON.parse(text);
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (document.querySelector('parsererror')) throw new Error('the layer is no KML');
  const { kml } = await import('@tmcw/togeojson');
  return kml(document) as GeoJsonObject;
}

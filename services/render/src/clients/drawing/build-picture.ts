import type { ChartScales, Picture, ProfileScales, RoseScales } from '../../domain/chart.ts';
import { buildChart } from './spec/build-chart.ts';
import { buildProfiles } from './spec/build-profiles.ts';
import { buildRose } from './spec/build-rose.ts';
import type { BuiltPicture } from './spec/picture-spec.ts';

/** All but XML 1.0's `Char`. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
/** Puts a text on one line, free of characters that an XML document cannot hold. */
const plain = (text: string): string => text.toWellFormed().replace(NOT_XML, '').replace(/\s+/g, ' ');

/**
 * Builds the Vega specification of a picture, with where its data lie.
 * @param pixelColumns see `buildChart`
 * @param pieceVertices see `buildChart`
 */
export function buildPicture(
  given: Picture,
  pixelColumns?: number,
  pieceVertices?: number,
): BuiltPicture<ChartScales | RoseScales | ProfileScales> {
  const picture = withPlainTexts(given);
  switch (picture.kind) {
    case 'TIME':
      return buildChart(picture, pixelColumns, pieceVertices);
    case 'ROSE':
      return buildRose(picture);
    case 'PROFILES':
      return buildProfiles(picture);
  }
}

/** Every text of a picture is drawn or reported somewhere; columns of numbers are left as they are. */
export function withPlainTexts<T>(value: T): T {
  if (typeof value === 'string') return plain(value) as T;
  if (Array.isArray(value)) return value.map(withPlainTexts) as T;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainTexts(inner)])) as T;
}

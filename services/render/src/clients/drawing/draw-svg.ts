import { parse, View, Warn } from 'vega';
import type { Chart, Picture } from '../../domain/chart.ts';
import { buildPicture, withPlainTexts } from './build-picture.ts';
import { plotWidthOf } from './spec/build-chart.ts';

/**
 * Draws the picture as SVG text of `width` x `height` pixels. `<metadata id="chart-scales">` says as JSON where its data lie
 * (`ChartScales`, `RoseScales`, `ProfileScales`).
 * @param pixelColumns see `buildChart`
 * @param pieceVertices see `buildChart`
 */
export async function drawSvg(picture: Picture, pixelColumns?: number, pieceVertices?: number): Promise<string> {
  const { spec, scales } = buildPicture(picture, pixelColumns, pieceVertices);
  const view = new View(parse(spec), { renderer: 'none', logLevel: Warn });
  try {
    return withScales(withPlainGradients(await view.toSVG()), scales);
  } finally {
    view.finalize();
  }
}

/** Returns the width of the plot in the picture of a chart. */
export const plotWidth = (chart: Chart): number => plotWidthOf(withPlainTexts(chart));

/** Vega wraps radial gradients in patterns, which librsvg does not draw: they are named themselves. */
const withPlainGradients = (svg: string): string => svg.replaceAll('="url(#p_gradient_', '="url(#gradient_');

function withScales(svg: string, scales: object): string {
  const open = svg.indexOf('>') + 1;
  return `${svg.slice(0, open)}<metadata id="chart-scales">${escapeXml(JSON.stringify(scales))}</metadata>${svg.slice(open)}`;
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

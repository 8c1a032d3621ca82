import { parse, View, Warn } from 'vega';
import type { Chart, ChartScales } from '../../domain/chart.ts';
import { buildChart, plotWidthOf } from './spec/build-chart.ts';

/**
 * The chart as SVG text of `chart.width` x `chart.height` pixels. `<metadata id="chart-scales">` holds the chart's
 * `ChartScales` as JSON.
 * @param pixelColumns see `buildChart`
 * @param pieceVertices see `buildChart`
 */
export async function drawSvg(chart: Chart, pixelColumns?: number, pieceVertices?: number): Promise<string> {
  const { spec, scales } = buildChart(drawable(chart), pixelColumns, pieceVertices);
  const view = new View(parse(spec), { renderer: 'none', logLevel: Warn });
  try {
    return withScales(await view.toSVG(), scales);
  } finally {
    view.finalize();
  }
}

/** Width of the plot in the picture of a chart. */
export const plotWidth = (chart: Chart): number => plotWidthOf(drawable(chart));

function withScales(svg: string, scales: ChartScales): string {
  const open = svg.indexOf('>') + 1;
  return `${svg.slice(0, open)}<metadata id="chart-scales">${escapeXml(JSON.stringify(scales))}</metadata>${svg.slice(open)}`;
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const plain = (text: string): string => text.toWellFormed().replace(NOT_XML, '').replace(/\s+/g, ' ');

/** The chart with all texts on one line and free of characters that an XML document cannot hold. */
function drawable(chart: Chart): Chart {
  return {
    ...chart,
    footer: plain(chart.footer),
    ...(chart.title !== undefined && { title: plain(chart.title) }),
    ...(chart.subtitle !== undefined && { subtitle: plain(chart.subtitle) }),
    series: chart.series.map((series) => ({
      ...series,
      name: plain(series.name),
      path: plain(series.path),
      units: plain(series.units),
      states: series.states.map((state) => ({ ...state, name: plain(state.name) })),
    })),
  };
}

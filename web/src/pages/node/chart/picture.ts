import { dashOf, roundsOf } from '../../../charts/dashes.ts';
import type { Plot } from '../../../charts/plot/plot.ts';
import type { ChartSeries } from '../../../parts/chart/series.ts';

const MARGIN = 16;
const TITLE = 20;
const LINE = 18;

type Text = { readonly title: string; readonly subtitle: string };

/** Draws what is seen as a picture: the plot below its name, its time and its legend. */
export function pictureOf(host: HTMLElement, plot: Plot, series: readonly ChartSeries[], { title, subtitle }: Text) {
  const drawn = host.querySelector('canvas')!;
  const ratio = devicePixelRatio;
  const head = MARGIN + TITLE + LINE + LINE * series.length + 8;
  const canvas = document.createElement('canvas');
  canvas.width = drawn.width + 2 * MARGIN * ratio;
  canvas.height = drawn.height + (head + MARGIN) * ratio;
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(host);
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('color-scheme').includes('dark')
    ? '#13242a'
    : '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(drawn, MARGIN * ratio, head * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = style.color;
  context.textBaseline = 'top';
  context.font = '600 15px system-ui, sans-serif';
  context.fillText(title, MARGIN, MARGIN);
  context.font = '12px system-ui, sans-serif';
  context.fillText(subtitle, MARGIN, MARGIN + TITLE);
  const rounds = roundsOf(series.map(({ view }) => view));
  for (const [i, { view }] of series.entries()) {
    const y = MARGIN + TITLE + LINE + i * LINE;
    context.strokeStyle = plot.colorOf(i);
    context.lineWidth = 2;
    context.setLineDash(dashOf(rounds[i] ?? 0, 1.75));
    context.beginPath();
    context.moveTo(MARGIN, y + 7);
    context.lineTo(MARGIN + 22, y + 7);
    context.stroke();
    context.fillText(`${view.name}${view.units === '' ? '' : ` [${view.units}]`}`, MARGIN + 30, y);
  }
  return new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))));
  });
}

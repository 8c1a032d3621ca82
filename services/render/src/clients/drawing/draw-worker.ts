import { workerData } from 'piscina';
import type { Chart } from '../../domain/chart.ts';
import type { ImageRequest } from '../../usecases/ports.ts';
import type { PicturedPages } from '../../usecases/report-ports.ts';
import { drawImage } from './draw-image.ts';
import { drawPdfPages, type PagesTask } from './draw-pdf-page.ts';
import { drawPreview } from './draw-preview.ts';
import { plotWidth } from './draw-svg.ts';
import { type FittedPicture, fitPicture } from './fit-picture.ts';
import { loadSharp } from './load-sharp.ts';

/** The pool hands this to every worker. */
type DrawWorkerData = { readonly fontConfigFile: string };

// fontconfig reads the environment of the process once, when sharp first meets a text.
process.env.FONTCONFIG_FILE = (workerData as DrawWorkerData).fontConfigFile;

// Loaded before the first picture waits for it.
await loadSharp();

/** A thread has such a task: a chart, how wide its plot will be, the preview of a file's bytes, or pages of a PDF of ours. */
export type DrawTask =
  | { readonly image: ImageRequest }
  | { readonly measured: Chart }
  | { readonly preview: Uint8Array }
  | ({ readonly pdf: Uint8Array } & PagesTask)
  | { readonly fitted: Uint8Array; readonly width: number; readonly height: number };

export type DrawResult = Uint8Array | number | FittedPicture | PicturedPages | undefined;

/** Draws one picture in a separate thread: drawing is synchronous work of seconds in the worst case. */
export default async function draw(task: DrawTask): Promise<DrawResult> {
  if ('fitted' in task) return fitPicture(task.fitted, task);
  if ('pdf' in task) return drawPdfPages(task.pdf, task);
  if ('measured' in task) return plotWidth(task.measured);
  return 'image' in task ? drawImage(task.image) : drawPreview(task.preview);
}

import { DomainError } from '@catchment/errors';
import { currentAccount, type FairQueue, PLATFORM } from '@catchment/fair-queue';
import { CHART_SVG_MIB } from '../domain/drawing-cost.ts';
import type { PictureWish } from '../domain/report/blocks.ts';
import type { Evaluator } from '../domain/report/evaluate.ts';
import type { Call } from './ports.ts';
import { readInParallel } from './read-in-parallel.ts';
import type { RenderDeps } from './render-chart.ts';
import { renderNode } from './render-node.ts';
import type {
  Barcodes,
  LoadedReport,
  Pictures,
  PrintedPicture,
  ReportFiles,
  ReportLink,
  WebPictures,
} from './report-ports.ts';

export type PictureDeps = RenderDeps & {
  readonly reportFiles: ReportFiles;
  readonly web: WebPictures;
  readonly pictures: Pictures;
  readonly barcodes: Barcodes;
  readonly memory: FairQueue;
};

/** Limits of one report. */
const MAX_PICTURES = 100;
const MAX_BYTES = 48 * 1024 * 1024;
/** Bounds one file, or one answer of the web. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** A point has this many printed pixels: 216 to the inch. */
const SHARPNESS = 3;
const MOST_PIXELS = 3_000;
const PIXELS_PER_POINT = 4 / 3;
const CHART_PIXELS = { least: 100, most: 4_000 };
/** A chart whose element has no height has this width by height. */
const CHART_RATIO = 5 / 3;

/** A picture has a data URL, and its width by its height. */
export type LoadedPicture = { readonly url: string; readonly ratio: number };

type PictureAsking = {
  readonly report: LoadedReport;
  readonly evaluator: Evaluator;
  readonly nowMs: number;
  /** Zone arguments of charts. */
  readonly zoneArguments: Readonly<Record<string, string>>;
  readonly call: Call;
};

/** Wishes of a report for pictures; the same one is one picture. */
export class Wishes {
  readonly #named = new Map<string, { readonly name: string; readonly at: string; readonly wish: PictureWish }>();

  #taken = 0;

  readonly take = (wish: PictureWish, at: string): string => {
    const key = JSON.stringify(wish);
    return this.#named.getOrInsertComputed(key, () => ({ name: `p${this.#named.size}`, at, wish })).name;
  };

  /** Pictures that have come since the last time. */
  next() {
    const all = [...this.#named.values()].slice(this.#taken);
    this.#taken = this.#named.size;
    return all;
  }
}

/** Loads pictures by name, a few at a time. One that cannot be had is left out, and remembered as a problem. */
export async function loadPictures(
  deps: PictureDeps,
  wishes: Wishes,
  known: ReadonlyMap<string, LoadedPicture>,
  asking: PictureAsking,
): Promise<ReadonlyMap<string, LoadedPicture>> {
  const loaded = new Map(known);
  let left = MAX_BYTES;
  for (const { url } of known.values()) left -= url.length;
  const { evaluator, call } = asking;
  await readInParallel(wishes.next(), call, async ({ name, at, wish }, reading, index) => {
    if (index + known.size >= MAX_PICTURES) return evaluator.fail(at, `more than ${MAX_PICTURES} pictures`);
    try {
      const picture =
        wish.kind === 'BARCODE'
          ? barcode(deps, wish.content)
          : await pictureOf(deps, wish, { ...asking, call: reading });
      left -= picture.url.length;
      if (left < 0) return evaluator.fail(at, `the pictures of the report have more than ${MAX_BYTES} bytes`);
      loaded.set(name, picture);
    } catch (error) {
      reading.signal.throwIfAborted();
      if (!isFaultOfPicture(error)) throw error;
      evaluator.fail(at, error.message);
    }
  });
  return loaded;
}

/** A picture cannot be had for this reason; anything else fails the report. */
class NoPicture extends Error {}

const isFaultOfPicture = (error: unknown): error is Error =>
  error instanceof NoPicture ||
  (error instanceof DomainError &&
    ['invalid_argument', 'failed_precondition', 'not_found', 'permission_denied', 'too_large', 'out_of_range'].includes(
      error.kind,
    ));

function barcode({ barcodes }: PictureDeps, content: string): LoadedPicture {
  try {
    const svg = barcodes.code128(content);
    const [, width = '1', height = '1'] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
    return { url: dataUrl('image/svg+xml', Buffer.from(svg)), ratio: Number(width) / Number(height) };
  } catch (error) {
    throw new NoPicture(`the barcode cannot be made: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

type SourceWish = Extract<PictureWish, { kind: 'SOURCE' }>;

async function pictureOf(deps: PictureDeps, wish: SourceWish, asking: PictureAsking): Promise<LoadedPicture> {
  const { source } = wish;
  const { report, call } = asking;
  const link = report.links.find(({ nodeId }) => nodeId === source);
  if (link && isCharted(link)) return chartOf(deps, link, wish, asking);
  const attachment = link?.pictureNodeId || report.pictures.get(source);
  if (attachment) {
    const bytes = await deps.reportFiles.read(attachment, MAX_FILE_BYTES, call);
    if (!bytes) throw new NoPicture('the file of the picture is gone, or too large');
    return fitted(deps, bytes, wish, call);
  }
  if (!/^https?:\/\//i.test(source))
    throw new NoPicture('must name a link of the report, an attachment, or an address with http or https');
  const bytes = await deps.web.fetch(source, call.signal).catch((error: unknown) => {
    call.signal.throwIfAborted();
    throw new NoPicture(`the picture cannot be fetched: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  return fitted(deps, bytes, wish, call);
}

const isCharted = ({ class: name }: ReportLink): boolean => name.startsWith('chart.') || name.startsWith('point.');

async function fitted(deps: PictureDeps, bytes: Uint8Array, { width, height }: SourceWish, call: Call) {
  const pixels = (points: number) => Math.min(Math.max(Math.ceil((points || width * 2) * SHARPNESS), 1), MOST_PIXELS);
  const picture: PrintedPicture | undefined = await deps.pictures.fit(
    bytes,
    { width: pixels(width), height: pixels(height) },
    call.signal,
  );
  if (!picture) throw new NoPicture('the bytes are no picture that can be printed');
  return { url: dataUrl(picture.mediaType, picture.bytes), ratio: picture.width / picture.height };
}

/** Draws the chart at the size of its element, as vectors. Its pixels are those of a screen, so its texts have nine points. */
async function chartOf(
  deps: PictureDeps,
  { nodeId, class: name, object }: ReportLink,
  { width, height }: SourceWish,
  { nowMs, zoneArguments, call }: PictureAsking,
): Promise<LoadedPicture> {
  const within = (points: number) =>
    String(Math.round(Math.min(Math.max(points * PIXELS_PER_POINT, CHART_PIXELS.least), CHART_PIXELS.most)));
  const size = { width: within(width), height: within(height || width / CHART_RATIO) };
  const range = name.startsWith('point.')
    ? { startTime: 'NOW-7D', endTime: 'NOW' }
    : { title: String(object.name ?? '') };
  const given = { format: 'SVG', ...size, ...range, ...zoneArguments };
  const work = { account: currentAccount() ?? PLATFORM, cost: CHART_SVG_MIB, lane: 'reports', signal: call.signal };
  const { bytes } = await deps.memory.run(work, () =>
    renderNode(deps, { nodeRef: nodeId, arguments: given, arrivalMs: nowMs }, call),
  );
  return { url: dataUrl('image/svg+xml', bytes), ratio: Number(size.width) / Number(size.height) };
}

const dataUrl = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;

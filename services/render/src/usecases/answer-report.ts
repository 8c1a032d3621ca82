import type { Caller } from '@catchment/access';
import { DomainError, toDomainError, tooLarge } from '@catchment/errors';
import { currentAccount, FairQueue, PLATFORM } from '@catchment/fair-queue';
import { argumentReader, REPORT_PREVIEW, REPORT_WAIT_MS } from '@catchment/query';
import type { Logger } from '@catchment/telemetry';
import type { Call } from './ports.ts';
import { type RenderReport, type Report, type ReportDeps, renderReport } from './render-report.ts';
import type { AccountCalls, PagePictures } from './report-ports.ts';

type ReportOptions = {
  /** One report may take this long; over it is 413 (docs/reference/reading.md#too-large-or-too-slow). */
  readonly maxMs: number;
  readonly queue: FairQueue;
  readonly accountCalls: AccountCalls;
  readonly now: () => number;
};

export type AskedReport = RenderReport & {
  /** A service names the account; else empty. */
  readonly ownerId: string;
};

export type Piece = { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array };

const PIECE_BYTES = 256 * 1024;

/** Reports that are made at a time: the accounts take turns, and one has all slots but one. */
export const reportQueue = ({ pages, waiting }: { readonly pages: number; readonly waiting: number }): FairQueue =>
  new FairQueue({
    reason: 'TOO_MANY_REPORTS',
    capacity: pages,
    perAccount: Math.max(1, pages - 1),
    waitingPerAccount: waiting,
    waiting: 4 * waiting,
    waitMs: REPORT_WAIT_MS,
  });

/** A report in pieces. @throws DomainError as `renderReport` */
export async function* answerReport(
  deps: ReportDeps & ReportOptions & PagePictures,
  asked: AskedReport,
  { log, ...given }: Call & { readonly caller: Caller; readonly log: Pick<Logger, 'info' | 'warn'> },
): AsyncGenerator<Piece> {
  const arrivedMs = deps.now();
  const command = { ...asked, arrivalMs: asked.arrivalMs || arrivedMs };
  const account = asked.ownerId || currentAccount() || PLATFORM;
  const leave = await deps.queue.enter({ account, cost: 1, signal: given.signal });
  const startedMs = deps.now();
  const deadlineMs = Math.min(given.deadlineMs, startedMs + deps.maxMs);
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(deadlineMs - startedMs)));
  const limited = { ...given, deadlineMs, signal: AbortSignal.any([given.signal, timeout]) };
  const made = async () => {
    const call = await deps.accountCalls(asked.ownerId, limited);
    const report = await renderReport(deps, command, call);
    return { call, ...report, piece: asked.draft ? await previewOf(deps, asked, report, call) : documentOf(report) };
  };
  const { piece, report, problems, call } = await made()
    .catch((error: unknown) => {
      // Time over is 413, whoever noticed it (docs/reference/requests-and-errors.md#status-codes).
      const isLate = timeout.aborted || toDomainError(error).kind === 'deadline_exceeded';
      throw isLate ? tooLarge('The report took too long: it needs fewer elements, or shorter ranges') : error;
    })
    .finally(() => leave());
  // The author of a template hears of its mistakes at once, and nobody else does.
  if (asked.draft === undefined) await reportProblems(deps, report, problems, call, log);
  const durationMs = Math.round(deps.now() - startedMs);
  log.info(
    {
      nodeId: report.nodeId,
      sizeBytes: piece.bytes.byteLength,
      problems: problems.length,
      durationMs,
      waitedMs: Math.round(startedMs - arrivedMs),
    },
    'report made',
  );
  const { bytes } = piece;
  for (let offset = 0; offset < bytes.byteLength; offset += PIECE_BYTES)
    yield { ...piece, bytes: bytes.subarray(offset, offset + PIECE_BYTES) };
}

const documentOf = ({ bytes, fileName }: Report): Piece => ({ contentType: 'application/pdf', fileName, bytes });

/** A preview has pictures of this many pages. */
const PREVIEWED_PAGES = 4;

/** Some pages of a report that is not saved, and what is wrong with it (docs/reference/dashboards-and-reports.md#report-preview). */
async function previewOf(deps: PagePictures, asked: AskedReport, report: Report, call: Call): Promise<Piece> {
  const read = argumentReader(REPORT_PREVIEW, asked.arguments);
  const first = read('page');
  const { count, pages } = await deps.pages(
    report.bytes,
    { first, count: PREVIEWED_PAGES, width: read('width') },
    call.signal,
  );
  const answer = {
    pageCount: count,
    pages: pages.map(({ png, width, height }, index) => ({
      page: first + index,
      width,
      height,
      png: Buffer.from(png).toString('base64'),
    })),
    problems: report.problems.map(({ at, message }) => ({ at: `template.${at}`, message })),
  };
  return { contentType: 'application/json', fileName: '', bytes: Buffer.from(JSON.stringify(answer)) };
}

/** Writes one event for all mistakes; the report is answered also where that fails. */
async function reportProblems(
  deps: ReportDeps,
  report: Report['report'],
  [first, ...others]: Report['problems'],
  call: Call,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (first === undefined) return;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  await deps.reports
    .warn(report, `Report printed with mistakes: ${first.at}: ${first.message}${more}`, call)
    .catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      log.warn({ err: error, nodeId: report.nodeId }, 'mistakes of a report cannot be reported');
    });
}

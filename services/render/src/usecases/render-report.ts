import { setImmediate as pause } from 'node:timers/promises';
import { tooLarge } from '@catchment/errors';
import { argumentReader, REPORT } from '@catchment/query';
import { effectiveZone, evaluateOpc, formatIsoMs, UTC_ZONE } from '@catchment/time';
import type { Block } from '../domain/report/block.ts';
import { areaNamesPage, type BlocksOptions, blocksOf, withPictures } from '../domain/report/blocks.ts';
import { defaultTemplate } from '../domain/report/default-template.ts';
import { type DocumentPage, fixedFragments, geometryOf, type ReportDocument } from '../domain/report/document.ts';
import { Evaluator, type PageNames, type ReportProblem } from '../domain/report/evaluate.ts';
import { headingSizes } from '../domain/report/headings.ts';
import { type Measures, type Pages, paginate } from '../domain/report/paginate.ts';
import { readTemplate, type Template } from '../domain/report/template.ts';
import { type LoadedPicture, loadPictures, type PictureDeps, Wishes } from './load-pictures.ts';
import type { Call } from './ports.ts';
import type { AlarmHistory, LoadedReport, NodeObject, Printing, ReportNodes, Sheet } from './report-ports.ts';

export type ReportDeps = PictureDeps & {
  readonly reports: ReportNodes;
  readonly alarms: AlarmHistory;
  readonly printing: Printing;
};

export type RenderReport = {
  readonly nodeRef: string;
  /** Raw: nowTime, timezone, timezoneAdjustForDst. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly arrivalMs: number;
  /** Attributes that are not saved, public JSON: for a preview. */
  readonly draft?: Uint8Array | undefined;
};

export type Report = {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly report: LoadedReport;
  readonly problems: readonly ReportProblem[];
};

/** Passes after which page numbers in the content are what they are: what they print can move what follows. */
const MAX_PASSES = 3;

/**
 * Makes a Report as PDF (docs/reference/dashboards-and-reports.md#report-endpoint): arguments, then the node and all that it names, then
 * texts and pictures, then pages.
 * @throws DomainError invalid_argument | not_found | permission_denied | failed_precondition | too_large | unavailable
 */
export async function renderReport(deps: ReportDeps, command: RenderReport, call: Call): Promise<Report> {
  const asked = readReportArguments(command.arguments, command.arrivalMs);
  const nowMs = asked.nowMs ?? command.arrivalMs;
  const loaded = await deps.reports.load({ nodeRef: command.nodeRef, draft: command.draft, ...asked }, call);
  const report = asked.nowMs === undefined ? loaded : await withAlarms(deps.alarms, loaded, asked.nowMs, call);
  const zone = effectiveZone(report.timezone, report.adjustForDst, nowMs);
  const given = readTemplate(report.template);
  const template = given.elements.length > 0 ? given : readTemplate(defaultTemplate(report));
  const evaluator = new Evaluator(objectsOf(report, nowMs), { nowMs, zone });
  const zoneArguments = { timezone: report.timezone, timezoneAdjustForDst: report.adjustForDst ? 'TRUE' : 'FALSE' };
  const making: Making = {
    deps,
    report,
    template,
    evaluator,
    wishes: new Wishes(),
    asking: { report, evaluator, nowMs, zoneArguments, call },
  };
  const bytes = await pdfOf(making, call);
  if (bytes.byteLength > deps.maxBytes) throw tooLarge('The report is too large');
  return { fileName: `${report.name}.pdf`, bytes, report, problems: evaluator.problems };
}

/** @throws DomainError invalid_argument */
function readReportArguments(raw: Readonly<Record<string, string>>, arrivalMs: number) {
  const given = argumentReader(REPORT, raw)('timezone');
  const zone =
    given === ''
      ? UTC_ZONE
      : effectiveZone(given, argumentReader(REPORT, raw)('timezoneAdjustForDst') ?? true, arrivalMs);
  const read = argumentReader(REPORT, raw, zone);
  const [time, adjustForDst] = [read('nowTime'), read('timezoneAdjustForDst')];
  const nowMs =
    time &&
    (time.kind === 'instant' ? time.instantMs : evaluateOpc(time.expression, { nowMs: arrivalMs, zone }, 'nowTime'));
  return {
    ...(nowMs !== undefined && { nowMs }),
    ...(given !== '' && { timezone: given }),
    ...(adjustForDst !== undefined && { adjustForDst }),
  };
}

/** The report with the alarms that its nodes had at a time. */
async function withAlarms(
  alarms: AlarmHistory,
  report: LoadedReport,
  nowMs: number,
  call: Call,
): Promise<LoadedReport> {
  const nodeIds = [...report.links, ...Object.values(report.above)].flatMap((link) => {
    const object =
      link && 'object' in link && 'nodeId' in link ? (link.object as NodeObject) : (link as NodeObject | null);
    return object?.alarms ? [String(object._id)] : [];
  });
  if (nodeIds.length === 0) return report;
  const raised = Map.groupBy(
    await alarms.at(report.ownerId, [...new Set(nodeIds)], nowMs, call),
    ({ nodeId }) => nodeId,
  );
  const then = (object: NodeObject | null): NodeObject | null => {
    if (!object?.alarms) return object;
    const alarms = new Map((raised.get(String(object._id)) ?? []).map(({ type, status }) => [type, status]));
    const all = Object.entries(object.alarms as Record<string, object>).map(([type, alarm]) => [
      type,
      { ...alarm, status: alarms.get(type) ?? { alarmState: 'CLEARED' } },
    ]);
    return { ...object, alarms: Object.fromEntries(all) };
  };
  const { THIS, SOURCE, LOCATION, WORKSPACE } = report.above;
  return {
    ...report,
    above: { THIS: then(THIS), SOURCE: then(SOURCE), LOCATION: then(LOCATION), WORKSPACE: then(WORKSPACE) },
    links: report.links.map((link) => ({ ...link, object: then(link.object) ?? {} })),
  };
}

/** Lists what expressions can name; names of the language come before those of links. */
const objectsOf = ({ above, links, accountName }: LoadedReport, nowMs: number) => ({
  ...Object.fromEntries(links.map(({ name, object }) => [name, object])),
  ...above,
  report_links: links.map(({ object }) => object),
  NOW: formatIsoMs(nowMs),
  report_time: formatIsoMs(nowMs),
  account_name: accountName,
});

type Making = {
  readonly deps: ReportDeps;
  readonly report: LoadedReport;
  readonly template: Template;
  readonly evaluator: Evaluator;
  readonly wishes: Wishes;
  readonly asking: Parameters<typeof loadPictures>[3];
};

async function pdfOf(making: Making, call: Call): Promise<Uint8Array> {
  const { deps, template } = making;
  // The pictures are loaded before a page of the browser is taken: others print meanwhile.
  const first = await contentOf(making, () => FIRST_PAGE);
  await bandsOf(making, 0, 1);
  const pictures = await loadPictures(deps, making.wishes, new Map(), making.asking);
  return deps.printing.print(async (sheet) => {
    let loaded = pictures;
    let blocks = first;
    let laidOut = await layOut(sheet, template, blocks, loaded);
    if (areaNamesPage(template, 'CONTENT'))
      for (let pass = 1; pass < MAX_PASSES; pass += 1) {
        const { pages, pageOf } = laidOut.pages;
        blocks = await contentOf(making, (key) => ({
          page_number: (pageOf.get(key) ?? 0) + 1,
          page_count: pages.length,
        }));
        loaded = await loadPictures(deps, making.wishes, loaded, making.asking);
        laidOut = await layOut(sheet, template, blocks, loaded);
        if (laidOut.pages.pages.length === pages.length) break;
      }
    const areas = await pageAreas(making, laidOut.pages);
    loaded = await loadPictures(deps, making.wishes, loaded, making.asking);
    call.signal.throwIfAborted();
    return sheet.pdf(documentOf(making, areas(loaded), laidOut.measures, loaded));
  }, call.signal);
}

const FIRST_PAGE: PageNames = { page_number: 1, page_count: 1 };

const contentOf = ({ template, evaluator, wishes }: Making, pageOf: BlocksOptions['pageOf']) => {
  const headings = headingSizes(template);
  return blocksOf(template, {
    evaluator,
    pictureOf: wishes.take,
    pause,
    area: 'CONTENT',
    width: geometryOf(template).width,
    headings,
    pageOf,
  });
};

/** Makes the header and the footer of a page, from 0. */
async function bandsOf({ template, evaluator, wishes }: Making, page: number, count: number) {
  const { width } = geometryOf(template);
  const pageOf = () => ({ page_number: page + 1, page_count: count });
  const options = { evaluator, pictureOf: wishes.take, pause, width, headings: [], pageOf };
  return {
    HEADER: await blocksOf(template, { ...options, area: 'HEADER' }),
    FOOTER: await blocksOf(template, { ...options, area: 'FOOTER' }),
  };
}

type LaidOut = { readonly measures: Measures; readonly pages: Pages };

async function layOut(
  sheet: Sheet,
  template: Template,
  blocks: readonly Block[],
  pictures: ReadonlyMap<string, LoadedPicture>,
): Promise<LaidOut> {
  const printed = withPictures(blocks, ratiosOf(pictures));
  const measures = await sheet.measure(printed);
  const { contentHeight } = geometryOf(template);
  return { measures, pages: paginate(printed, measures, { first: contentHeight(0), other: contentHeight(1) }) };
}

const ratiosOf = (pictures: ReadonlyMap<string, LoadedPicture>) =>
  new Map([...pictures].map(([name, { ratio }]) => [name, ratio]));

/** Returns all areas of all pages; headers and footers that do not name their page are the same on each. */
async function pageAreas(making: Making, { pages }: Pages) {
  const { template } = making;
  const geometry = geometryOf(template);
  const { page, margins, header, footer } = template;
  const isPaged = areaNamesPage(template, 'HEADER') || areaNamesPage(template, 'FOOTER');
  const same = isPaged ? undefined : await bandsOf(making, 0, pages.length);
  const bands: Awaited<ReturnType<typeof bandsOf>>[] = [];
  for (let index = 0; index < pages.length; index += 1)
    bands.push(same ?? (await bandsOf(making, index, pages.length)));
  return (pictures: ReadonlyMap<string, LoadedPicture>): DocumentPage[] => {
    const ratios = ratiosOf(pictures);
    const band = (index: number, area: 'HEADER' | 'FOOTER', height: number) =>
      fixedFragments(withPictures(bands[index]![area], ratios), NO_MEASURES, height);
    const { width } = geometry;
    return pages.map((fragments, index) => ({
      areas: [
        ...(geometry.hasHeader(index)
          ? [
              {
                role: 'header' as const,
                x: margins.left,
                y: margins.top,
                width,
                height: header.size,
                fragments: band(index, 'HEADER', header.size),
              },
            ]
          : []),
        {
          role: 'content' as const,
          x: margins.left,
          y: geometry.contentTop(index),
          width,
          height: geometry.contentHeight(index),
          fragments,
        },
        ...(geometry.hasFooter(index)
          ? [
              {
                role: 'footer' as const,
                x: margins.left,
                y: page.height - margins.bottom - footer.size,
                width,
                height: footer.size,
                fragments: band(index, 'FOOTER', footer.size),
              },
            ]
          : []),
      ],
    }));
  };
}

const NO_MEASURES: Measures = { texts: new Map(), tables: new Map() };

const documentOf = (
  { report, template }: Making,
  pages: readonly DocumentPage[],
  measures: Measures,
  pictures: ReadonlyMap<string, LoadedPicture>,
): ReportDocument => ({
  title: report.name,
  language: 'en',
  page: template.page,
  pages,
  measures,
  pictures: new Map([...pictures].map(([name, { url }]) => [name, url])),
});

import type { DashboardView } from '@catchment/dashboard-view';
import { DomainError, notFound } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import { argumentReader, PAGE, type REPORT, readArguments, TILE, TILE_IMAGE } from '@catchment/query';
import type { Logger } from '@catchment/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FrontEnd } from '../../usecases/pages/front-end.ts';
import type { PageHub } from '../../usecases/pages/page-hub.ts';
import type { PageReader } from '../../usecases/pages/read-page.ts';
import { readChart, readTable, tileOptions } from '../../usecases/pages/tile-data.ts';
import type { Visit } from '../../usecases/pages/visit.ts';
import type { Peers } from '../../usecases/ports.ts';
import type { StreamSlots } from '../../usecases/push/stream-slots.ts';
import { sendFileOf } from '../nodes/files.ts';
import { parseQuery, type QueryArguments, rawQueryOf } from '../request/query.ts';
import { HttpProblem, toProblem } from '../response/problem.ts';
import { refuse } from '../response/refuse.ts';
import { sendBytes, sendStream } from '../response/send.ts';
import { beginResponse, sinkOf } from '../response/send-push.ts';
import { uncached } from '../routing/api-call.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import { pageProblem } from './page-problem.ts';
import { pageShell, shellPolicy } from './page-shell.ts';

export type PageResourceDeps = {
  readonly reader: PageReader;
  readonly hub: PageHub;
  readonly slots: StreamSlots;
  readonly historic: Peers['historic'];
  readonly render: Peers['render'];
  readonly files: Peers['files'];
  readonly signer: CallerSigner;
  readonly frontEnd: FrontEnd | undefined;
  readonly mapTiles: DashboardView['mapTiles'];
  readonly slowReadMs: number;
  readonly log: Logger;
};

/** A request for a page, or for something that it shows, was let in. */
export type Opened = {
  readonly visit: Visit;
  readonly ownerId: string;
  /** Viewers with the same one see the same. */
  readonly key: string;
  /** The open streams of this client are counted. */
  readonly clientId: string;
  /** The page may send changes with this token of people who are signed in. */
  readonly csrf?: string;
};

export type PageRoute = {
  readonly url: string;
  /** Lets a request in. @throws DomainError, HttpProblem */
  readonly open: (request: FastifyRequest, query: QueryArguments) => Promise<Opened>;
  /** Answers the address itself, where the answer may be something else than the page. */
  readonly document?: (page: PageRequest) => Promise<boolean>;
  /** Other sites may show the page within theirs. */
  readonly mayBeEmbedded: boolean;
  /** Runs instead of a refusal. @returns whether it has answered */
  readonly instead?: (request: FastifyRequest, reply: FastifyReply, error: unknown) => boolean;
};

export type PageRequest = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly query: QueryArguments;
  readonly open: () => Promise<Opened>;
};

type Work = (page: PageRequest) => Promise<void>;

/** Returns the arguments of a page's address that decide what it shows. */
export const pageArguments = (query: QueryArguments): Record<string, string> =>
  Object.fromEntries(
    (['timezone', 'timezoneAdjustForDst', 'startTime', 'endTime'] as const).flatMap((name) =>
      query[name] === undefined ? [] : [[name, query[name]]],
    ),
  );

/** Serves a page with all that it shows below its address (docs/reference/public-pages.md). */
export function definePage(app: FastifyInstance, deps: PageResourceDeps, route: PageRoute): void {
  const resources: Readonly<Record<string, Work>> = {
    '/view': (page) => sendView(deps, page),
    '/stream': (page) => sendPageStream(deps, page),
    '/tiles/:tileId/series': (page) => sendSeries(deps, page),
    '/tiles/:tileId/records': (page) => sendRecords(deps, page),
    '/tiles/:tileId/image': (page) => sendImage(deps, page),
    '/tiles/:tileId/layers/:n': (page) => sendLayer(deps, page),
  };
  defineResource(app, deps, route, '', async (page) => {
    if (!(await route.document?.(page))) await sendShell(deps, route, page);
  });
  for (const [path, work] of Object.entries(resources)) defineResource(app, deps, route, path, work);
}

/** Defines an address that people or their browsers open without a key. */
export function defineResource(
  app: FastifyInstance,
  deps: Pick<PageResourceDeps, 'log'>,
  { url, open, instead }: Pick<PageRoute, 'url' | 'open' | 'instead'>,
  path: string,
  work: Work,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    // The address of a public page is all that opens it: other servers do not learn it, and search engines leave it
    // out.
    reply.header('referrer-policy', 'strict-origin').header('x-robots-tag', 'noindex');
    try {
      const query = parseQuery(rawQueryOf(request.raw.url ?? ''));
      await work({ request, reply, query, open: () => open(request, query) });
    } catch (error) {
      if (instead?.(request, reply, error)) return reply;
      await refuse(deps.log, request, reply, problemOf(error), path === '' ? pageProblem : undefined);
    }
    return reply;
  };
  app.route({ method: ['GET', 'HEAD'], url: url + path, schema: { hide: true }, handler });
  definePathEnds(app, url + path, ['GET'], false);
}

async function sendShell(
  deps: PageResourceDeps,
  { mayBeEmbedded }: PageRoute,
  { request, reply, query, open }: PageRequest,
) {
  const header = argumentReader(PAGE, query)('header');
  const { visit, csrf } = await open();
  const [entry, { view }] = await Promise.all([
    deps.frontEnd?.entry('dashboard'),
    deps.reader.view(visit, request.call.signal),
  ]);
  if (!entry) throw new HttpProblem(503, 'FRONT_END_MISSING');
  reply.header('content-security-policy', shellPolicy(deps.mapTiles?.url, mayBeEmbedded));
  await sendBytes(request, reply, {
    status: 200,
    bytes: Buffer.from(pageShell({ view, ...entry, header, csrf })),
    contentType: 'text/html; charset=utf-8',
    caching: 'no-store',
  });
}

const sendJson = ({ request, reply }: PageRequest, document: unknown): Promise<void> =>
  sendBytes(request, reply, { status: 200, bytes: Buffer.from(JSON.stringify(document)), caching: 'no-store' });

async function sendView({ reader }: PageResourceDeps, page: PageRequest): Promise<void> {
  const { visit } = await page.open();
  await sendJson(page, (await reader.view(visit, page.request.call.signal)).view);
}

/** Opens a stream. A wrong request gets an error answer: the stream begins when its first view is there. */
async function sendPageStream({ reader, hub, slots }: PageResourceDeps, page: PageRequest): Promise<void> {
  const { request, reply } = page;
  const { visit, ownerId, key, clientId } = await page.open();
  const releaseSlot = slots.take(ownerId, clientId);
  reply.raw.once('close', releaseSlot);
  const first = await reader.view(visit, request.call.signal);
  if (reply.raw.destroyed) return releaseSlot();
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('cache-control', 'no-store');
  // Proxies that gather answers would hold messages back.
  reply.header('x-accel-buffering', 'no').header('connection', 'close');
  if (request.method === 'HEAD') return void reply.send();
  const response = beginResponse(reply);
  const { leave, drained } = hub.join(key, { visit, sink: sinkOf(response) }, first);
  response.on('drain', drained);
  response.once('close', leave);
}

/** Reads the tile that a request names; 404 where it is of another type. */
async function tileOf(
  { reader }: PageResourceDeps,
  { request, query, open }: PageRequest,
  ...types: readonly string[]
) {
  const { visit, ownerId } = await open();
  const { tileId = '' } = request.params as { tileId?: string };
  const { start = '', end = '' } = query;
  const tile = await reader.tile(visit, tileId, { start, end }, request.call.signal);
  if (!types.includes(tile.type)) throw notFound();
  return { ownerId, visit, tile, arrivalMs: request.call.arrivalMs, signal: request.call.signal };
}

async function sendSeries(deps: PageResourceDeps, page: PageRequest): Promise<void> {
  const { width } = readArguments(TILE, page.query);
  await sendJson(page, await readChart(deps, await tileOf(deps, page, 'STANDARD_CHART'), width));
}

async function sendRecords(deps: PageResourceDeps, page: PageRequest): Promise<void> {
  await sendJson(page, await readTable(deps, await tileOf(deps, page, 'HISTORIC_TABLE')));
}

async function sendImage(deps: PageResourceDeps, page: PageRequest): Promise<void> {
  const { request, reply, query } = page;
  const read = await tileOf(deps, page, 'CUSTOM_CHART', 'ATTACHMENT_IMAGE', 'LOCATION_MAP');
  const { tile, visit, arrivalMs } = read;
  if (tile.type !== 'CUSTOM_CHART') {
    if (tile.imageId === '') throw notFound();
    return sendFileOf(deps, { nodeId: tile.imageId, variant: 'picture' }, request, reply);
  }
  const nodeRef = tile.nodes[0]?.nodeId;
  if (!nodeRef) throw notFound();
  const { width, height } = readArguments(TILE_IMAGE, query);
  const { startTime, endTime } = visit.page?.kind === 'chart' ? visit.page.arguments : {};
  const given = {
    ...tile.arguments,
    format: 'SVG',
    width: String(width),
    height: String(height),
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    // The tile says what it is.
    title: '',
    subtitle: '',
  };
  const asked = { nodeRef, arguments: given, arrivalMs, hidesPaths: true };
  const image = deps.render.renderChart(asked, await tileOptions(deps, read));
  await sendStream(request, reply, uncached(image, deps.slowReadMs));
}

async function sendLayer(deps: PageResourceDeps, page: PageRequest): Promise<void> {
  const { tile } = await tileOf(deps, page, 'LOCATION_MAP');
  const nodeId = tile.layerIds[Number((page.request.params as { n?: string }).n)];
  if (nodeId === undefined) throw notFound();
  await sendFileOf(deps, { nodeId, variant: 'file' }, page.request, page.reply);
}

const TRANSFER_MS = 10 * 60_000;

/** Returns the options for asking a service what the visitor of a page may see. */
export async function visitorOptions({ signer, slowReadMs }: PageResourceDeps, { request }: PageRequest, visit: Visit) {
  const token = await signer.sign(await visit.caller());
  return { token, signal: request.call.signal, timeoutMs: slowReadMs + TRANSFER_MS };
}

/** Sends a report as a PDF, as of `nowTime` or of this moment. */
export async function sendReport(
  deps: PageResourceDeps,
  page: PageRequest,
  { visit, name }: { readonly visit: Visit; readonly name: string },
  names: readonly (keyof typeof REPORT)[],
): Promise<void> {
  const given = Object.fromEntries(
    names.flatMap((key) => (page.query[key] === undefined ? [] : [[key, page.query[key]]])),
  );
  const asked = { nodeRef: visit.page.nodeRef, arguments: given, arrivalMs: page.request.call.arrivalMs, ownerId: '' };
  const report = deps.render.renderReport(asked, await visitorOptions(deps, page, visit));
  await sendStream(page.request, page.reply, { ...uncached(report, deps.slowReadMs), fileName: `${name}.pdf` });
}

/** Reads of records and charts that take too long were asked for too much. */
function problemOf(error: unknown): HttpProblem {
  if (error instanceof DomainError && error.reason === 'SESSION_ENDED') return new HttpProblem(401, 'UNAUTHENTICATED');
  return toProblem(error, { isSlowTooLarge: true });
}

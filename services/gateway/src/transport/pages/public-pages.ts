import { DomainError } from '@catchment/errors';
import { argumentReader, PUBLIC_CHART_FORMAT, PUBLIC_HISTORIC_FORMAT } from '@catchment/query';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from '../../domain/client-address.ts';
import type { FixedWindow } from '../../domain/fixed-window.ts';
import { type LinkKind, type PublicLinks, pageCaller } from '../../usecases/pages/visit.ts';
import { sendFileOf } from '../nodes/files.ts';
import type { QueryArguments } from '../request/query.ts';
import { HttpProblem } from '../response/problem.ts';
import { sendStream } from '../response/send.ts';
import { uncached } from '../routing/api-call.ts';
import {
  definePage,
  defineResource,
  type Opened,
  type PageRequest,
  type PageResourceDeps,
  pageArguments,
  sendReport,
  visitorOptions,
} from './page-resources.ts';

type PublicPageDeps = PageResourceDeps & {
  readonly links: PublicLinks;
  /** Counts by client address (docs/reference/requests-and-errors.md#rate-limits); undefined where the limit is off. */
  readonly requests: FixedWindow | undefined;
  /** Counts links that open nothing, by client address. */
  readonly failures: FixedWindow;
  readonly now: () => number;
};

type PublicOpened = Opened & { readonly name: string };

/** Public links (docs/reference/public-pages.md#links): whoever has the address may open it. */
export function addPublicPages(app: FastifyInstance, deps: PublicPageDeps): void {
  const page = (kind: 'dash' | 'chart' | 'historic', document?: (page: PageRequest) => Promise<boolean>) =>
    definePage(app, deps, {
      url: `/public/${kind}/:publicId`,
      open: (request, query) => openPublic(deps, kind, request, query),
      mayBeEmbedded: true,
      ...(document && { document }),
    });
  page('dash');
  page('chart', (request) => sendChart(deps, request));
  page('historic', (request) => sendHistoric(deps, request));
  const file = (kind: 'attachment' | 'report', work: (page: PageRequest) => Promise<void>) => {
    const open = (request: FastifyRequest, query: QueryArguments) => openPublic(deps, kind, request, query);
    defineResource(app, deps, { url: `/public/${kind}/:publicId`, open }, '', work);
  };
  file('attachment', async ({ request, reply, open }) => {
    const { visit } = await open();
    await sendFileOf(deps, { nodeId: visit.page.nodeRef, variant: 'file' }, request, reply);
  });
  // Its moment is now: whoever has the link sees no older ones.
  file('report', async (page) =>
    sendReport(deps, page, (await page.open()) as PublicOpened, ['timezone', 'timezoneAdjustForDst']),
  );
}

async function openPublic(
  deps: PublicPageDeps,
  kind: LinkKind,
  request: FastifyRequest,
  query: QueryArguments,
): Promise<PublicOpened> {
  const address = clientAddress(request.ip);
  count(deps, deps.requests, address);
  const { publicId = '' } = request.params as { publicId?: string };
  const found = await deps.links.find(kind, publicId).catch((error: unknown) => {
    // Whoever guesses is slowed down; good links of the same address go on.
    if (error instanceof DomainError && error.kind === 'not_found') count(deps, deps.failures, address);
    throw error;
  });
  const given = pageArguments(query);
  const visit = {
    page: { kind, nodeRef: found.nodeId, arguments: given, accountSlug: '' },
    basePath: `/public/${kind}/${publicId}`,
    caller: async () => pageCaller(await deps.links.find(kind, publicId)),
  };
  const key = JSON.stringify([kind, publicId, given]);
  return { visit, ownerId: found.ownerId, key, clientId: `address ${address}`, name: found.name };
}

/** @throws HttpProblem 429 */
function count({ now }: PublicPageDeps, window: FixedWindow | undefined, address: string): void {
  const usage = window?.take(address);
  if (!usage?.isOver) return;
  const seconds = Math.max(1, Math.ceil((usage.resetMs - now()) / 1000));
  throw new HttpProblem(429, 'TOO_MANY_REQUESTS', { headers: { 'retry-after': String(seconds) } });
}

/** Picks the arguments of the service behind a link, without those of the page. */
function argumentsOf({ format: _format, header, ...given }: QueryArguments): Record<string, string> {
  const ofPage = header === undefined || /^(logo|none)$/i.test(header);
  return { ...given, ...(!ofPage && { header }) };
}

/** A chart as a picture. @returns whether one is asked for */
async function sendChart(deps: PublicPageDeps, page: PageRequest): Promise<boolean> {
  const format = argumentReader({ format: PUBLIC_CHART_FORMAT }, page.query)('format');
  return sendFile(deps, page, format, (request, options) => deps.render.renderChart(request, options));
}

/** Sends records of a parameter as a document. @returns whether one is asked for */
async function sendHistoric(deps: PublicPageDeps, page: PageRequest): Promise<boolean> {
  const format = argumentReader({ format: PUBLIC_HISTORIC_FORMAT }, page.query)('format');
  return sendFile(deps, page, format, (request, options) => deps.historic.read(request, options));
}

async function sendFile(
  deps: PublicPageDeps,
  page: PageRequest,
  format: string,
  ask: PublicPageDeps['historic']['read'],
): Promise<boolean> {
  if (format === 'HTML') return false;
  const { visit } = await page.open();
  const { nodeRef } = visit.page;
  const { arrivalMs } = page.request.call;
  const options = await visitorOptions(deps, page, visit);
  const answer = ask(
    { nodeRef, arguments: { ...argumentsOf(page.query), format }, arrivalMs, hidesPaths: true },
    options,
  );
  await sendStream(page.request, page.reply, uncached(answer, deps.slowReadMs));
  return true;
}

import { METHODS } from 'node:http';
import { notPermitted, tooLarge } from '@catchment/errors';
import { FileLinks } from '@catchment/file-links';
import type { CallerSigner } from '@catchment/grpc';
import type { Readiness } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { BodyBudget } from '../domain/body-budget.ts';
import { FixedWindow, shareOf } from '../domain/fixed-window.ts';
import { WritePositions } from '../domain/write-position.ts';
import { Authenticator } from '../usecases/authenticator.ts';
import type { FrontEnd } from '../usecases/pages/front-end.ts';
import { PageReader } from '../usecases/pages/read-page.ts';
import type { Runbook } from '../usecases/pages/runbook.ts';
import { PublicLinks } from '../usecases/pages/visit.ts';
import type { Peers } from '../usecases/ports.ts';
import { openPush, type Push } from '../usecases/push/open-push.ts';
import { StreamSlots } from '../usecases/push/stream-slots.ts';
import { sessionsOf } from '../usecases/sessions.ts';
import { createCors } from './auth/cors.ts';
import { createGuard } from './auth/guard.ts';
import { Connections } from './connections.ts';
import { addDeviceMessages } from './devices/device-messages.ts';
import { deviceRoutes } from './devices/devices.ts';
import { addSms, type SmsDeps } from './devices/sms.ts';
import { addUploads } from './devices/uploads.ts';
import type { Drain } from './drain.ts';
import { alarmRoutes } from './events/alarms.ts';
import { eventRoutes } from './events/events.ts';
import { streamRoutes } from './events/streams.ts';
import { webhookRoutes } from './events/webhooks.ts';
import { answerClientError, createHttpServer, routablePath } from './http-server.ts';
import { attachmentRoutes } from './nodes/attachments.ts';
import { addFiles, FILE_POLICY } from './nodes/files.ts';
import { nodeRoutes } from './nodes/nodes.ts';
import { processingRoutes } from './nodes/processing.ts';
import { addApiDescription } from './openapi/openapi.ts';
import { operatorRoutes } from './operator/operator.ts';
import { addRunbook } from './operator/runbook.ts';
import { addConsolePages, type ConsoleDeps } from './pages/console-pages.ts';
import { addFrontEndFiles } from './pages/front-end-files.ts';
import { addOwnPages } from './pages/own-pages.ts';
import { pageProblem } from './pages/page-problem.ts';
import { addPages } from './pages/pages.ts';
import { previewRoutes } from './pages/previews.ts';
import { addPublicPages } from './pages/public-pages.ts';
import { reportRoutes } from './pages/reports.ts';
import { invitationRoutes } from './people/invitations.ts';
import { ownSessionRoutes } from './people/own-session.ts';
import { ownerRoutes } from './people/owners.ts';
import { addPeoplePages } from './people/people.ts';
import { preferenceRoutes } from './people/preferences.ts';
import { securityRoutes } from './people/security.ts';
import { exportRoutes } from './records/exports.ts';
import { historicRoutes } from './records/historic.ts';
import { lineProtocol } from './records/line-protocol.ts';
import { createBodyHook } from './request/body-hook.ts';
import { QUERY_MAX_BYTES, rawQueryOf } from './request/query.ts';
import { requestIdOf } from './request/request-id.ts';
import { addRequestScope } from './request/request-scope.ts';
import { checkWellFormed } from './request/well-formed.ts';
import { HttpProblem, toProblem } from './response/problem.ts';
import { refuse } from './response/refuse.ts';
import { sendProblem } from './response/send.ts';
import { defineRoutes } from './routing/define-routes.ts';

/** Bounds failed authentications per client address and window; always on (docs/reference/requests-and-errors.md#rate-limits). */
const FAILED_AUTHENTICATIONS = 100;
/** Public links that open nothing count likewise (docs/reference/public-pages.md#limits). */
const FAILED_LOOKUPS = 100;

/** See the README, which describes each. */
type AppSettings = Pick<SmsDeps, 'smsIncoming'> &
  Parameters<typeof addApiDescription>[1] & {
    readonly http: { readonly maxConnections: number };
    readonly serviceTokenSecret: string;
    /** People open pages here, and sources' files are sent there; undefined = at any address. */
    readonly appUrl: string | undefined;
    readonly uploadUrl: string | undefined;
    readonly requireHttps: boolean;
    readonly trustedProxies: readonly string[];
    readonly corsOrigins: readonly string[];
    readonly limits: {
      readonly requests: number;
      readonly windowMs: number;
      readonly replicas: number;
      readonly slowReadMs: number;
      readonly bodyMemoryBytes: number;
    };
    readonly push: Parameters<typeof openPush>[0]['limits'];
    readonly pages: Pick<ConsoleDeps, 'deviceAddresses'> & {
      readonly mapTiles: ConsoleDeps['mapTiles'] | undefined;
      readonly viewers: number;
      readonly viewersOfClient: number;
    };
  };

export type AppDeps = {
  readonly config: AppSettings;
  readonly peers: Peers;
  readonly signer: CallerSigner;
  readonly log: Logger;
  readonly readiness: Readiness;
  readonly drain: Drain;
  /** The streams; absent = made here. */
  readonly push?: Push;
  /** The memory of bodies; absent = made here. */
  readonly budget?: BodyBudget;
  /** Is called for each route. */
  readonly onRoute?: (route: RouteOptions) => void;
  /** The pages for browsers; absent = they are not built. */
  readonly frontEnd?: FrontEnd;
  readonly runbook: Runbook;
  readonly now?: () => number;
  /** See ConsoleDeps. */
  readonly placesMs?: number;
};

/** Builds the whole HTTP side, ready to listen. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log } = deps;
  const { trustedProxies } = config;
  const connections = new Connections({ max: config.http.maxConnections, trustedProxies });
  const app: FastifyInstance = Fastify({
    serverFactory: (handler) =>
      createHttpServer(handler, {
        maxConnections: config.http.maxConnections,
        idleMs: config.limits.slowReadMs + 30_000,
        accept: connections.accept,
      }),
    rewriteUrl: routablePath,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, toProblem(error)),
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 16 * 1024,
      // Ours reads the raw text when its turn in the order of checks has come.
      querystringParser: () => ({}),
    },
  });
  if (deps.onRoute) app.addHook('onRoute', deps.onRoute);
  offerAllMethods(app);
  acceptAnyBody(app);
  addRequestScope(app, { log, drain: deps.drain, known: (socket, account) => connections.known(socket, account) });
  addErrorAnswers(app, log);
  addFirstChecks(app, deps);
  await addApiDescription(app, config);
  addRunbook(app, deps.runbook);
  const { people, security, files } = deps.peers;
  const sessions = sessionsOf(deps.peers, deps.signer);
  const { baseUrl, appUrl } = config;
  addPages(app, { readiness: deps.readiness, checkPeer: deps.peers.check, baseUrl, sessions, appUrl });
  const budget = deps.budget ?? new BodyBudget(config.limits.bodyMemoryBytes);
  addPeoplePages(app, { people, security, sessions, signer: deps.signer, appUrl: config.appUrl, log, budget });
  const { requests } = config.limits;
  addFiles(app, {
    files,
    links: new FileLinks(config.serviceTokenSecret),
    signer: deps.signer,
    requests: requests > 0 ? windowOf(deps, requests) : undefined,
    now: deps.now ?? Date.now,
    log,
  });
  const push = deps.push ?? openPush({ ...deps, limits: config.push });
  if (!deps.push) app.addHook('onClose', async () => push.close());
  addPagesForPeople(app, deps, { push, sessions });
  addUploads(app, { devices: deps.peers.devices, signer: deps.signer, budget, uploadUrl: config.uploadUrl });
  addDeviceMessages(app, { devices: deps.peers.devices, signer: deps.signer, budget, uploadUrl: config.uploadUrl });
  addSms(app, { ...config, devices: deps.peers.devices, signer: deps.signer, budget });
  const guard = guardOf(deps, sessions);
  await app.register(lineProtocol, { historic: deps.peers.historic, signer: deps.signer, budget, guard, log });
  await app.register(async (api) => addApi(api, deps, { guard, budget, push }), { prefix: '/api/v1' });
  return app;
}

/** Counts up to this replica's share of a limit. */
const windowOf = ({ config: { limits }, now = Date.now }: AppDeps, limit: number): FixedWindow =>
  new FixedWindow({ limit: shareOf(limit, limits.replicas), windowMs: limits.windowMs, now });

/** Adds the pages of public links and of people's own dashboards. */
function addPagesForPeople(
  app: FastifyInstance,
  deps: AppDeps,
  { push, sessions }: { push: Push; sessions: Authenticator },
): void {
  const { config, peers, signer, log, frontEnd, placesMs } = deps;
  const { limits, pages } = config;
  const mapTiles = pages.mapTiles ?? null;
  const { historic, render, files, events } = peers;
  const reader = new PageReader({ pages: peers.pages, events, signer, mapTiles });
  const hub = push.openPages(reader);
  const slots = new StreamSlots({ streams: pages.viewers, streamsOfKey: pages.viewersOfClient });
  const requests = limits.requests > 0 ? windowOf(deps, limits.requests) : undefined;
  const { slowReadMs } = limits;
  const shared = {
    reader,
    hub,
    slots,
    historic,
    render,
    files,
    signer,
    frontEnd,
    mapTiles,
    slowReadMs,
    log,
    requests,
  };
  const links = new PublicLinks({ pages: peers.pages, signer });
  const failures = windowOf(deps, FAILED_LOOKUPS);
  addFrontEndFiles(app, frontEnd);
  addPublicPages(app, { ...shared, links, failures, now: deps.now ?? Date.now });
  addOwnPages(app, { ...shared, sessions, appUrl: config.appUrl });
  const { people } = peers;
  const { appUrl, classNamespace, uploadUrl } = config;
  const { deviceAddresses } = pages;
  const addresses = { appUrl, classNamespace, uploadUrl, deviceAddresses };
  addConsolePages(app, { people, sessions, push, signer, frontEnd, mapTiles, log, placesMs, ...addresses });
}

/** Checks who calls, by key or session; all routes share the guard, so that limits count them together. */
function guardOf(deps: AppDeps, sessions: Authenticator) {
  const { config, peers, signer } = deps;
  const { limits } = config;
  return createGuard({
    authenticator: new Authenticator({
      // A key opens one account.
      lookup: ({ keySha256 }, options) => peers.accounts.authenticate({ keySha256 }, options),
      find: peers.accounts.findSecrets,
      signer,
    }),
    sessions,
    appUrl: config.appUrl,
    failures: windowOf(deps, FAILED_AUTHENTICATIONS),
    requests: limits.requests > 0 ? windowOf(deps, limits.requests) : undefined,
    now: deps.now ?? Date.now,
  });
}

function addApi(
  api: FastifyInstance,
  deps: AppDeps,
  { guard, budget, push }: { guard: ReturnType<typeof createGuard>; budget: BodyBudget; push: Push },
): void {
  const { config, peers, signer } = deps;
  const { limits } = config;

  api.addHook('onRequest', guard);
  api.addHook('preValidation', createBodyHook(budget));
  api.setNotFoundHandler(refuseUnknown);
  const mapTiles = config.pages.mapTiles ?? null;
  const reader = new PageReader({ pages: peers.pages, events: peers.events, signer, mapTiles });
  const tables = [
    ownerRoutes(peers),
    ownSessionRoutes(peers, signer),
    operatorRoutes(peers, signer),
    preferenceRoutes(peers),
    invitationRoutes(peers, signer),
    nodeRoutes(peers),
    attachmentRoutes(peers, signer),
    securityRoutes(peers),
    historicRoutes(peers, {
      slowReadMs: limits.slowReadMs,
      positions: new WritePositions(config.serviceTokenSecret),
    }),
    reportRoutes(peers, limits.slowReadMs),
    previewRoutes({ reader, historic: peers.historic, render: peers.render, signer }),
    processingRoutes(peers),
    alarmRoutes(peers),
    eventRoutes(peers),
    webhookRoutes(peers),
    streamRoutes(push),
    deviceRoutes(peers, signer),
    exportRoutes(peers),
  ];
  const once = { requests: peers.requests, signer, log: deps.log };
  for (const table of tables) defineRoutes(api, table, once);
}

/** Adds the checks before authentication: well-formed HTTP, stopping, HTTPS, length of the query string. */
function addFirstChecks(app: FastifyInstance, { config, drain }: AppDeps): void {
  const cors = createCors(config.corsOrigins);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    checkWellFormed(request.raw);
    cors(request, reply);
    const { url } = request.routeOptions;
    if (url === '/healthz' || url === '/readyz') return;
    if (drain.isClosed) throw new HttpProblem(503, 'STOPPING');
    if (config.requireHttps && request.protocol !== 'https') throw notPermitted('HTTPS is required');
    if (rawQueryOf(request.raw.url ?? '').length > QUERY_MAX_BYTES) throw tooLarge();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // Opened by itself, a picture with a script in it, whoever wrote that, runs nothing.
    const isSvg = String(reply.getHeader('content-type') ?? '').startsWith('image/svg+xml');
    if (isSvg) reply.header('content-security-policy', FILE_POLICY);
    done();
  });
  // The header goes with the answer, not the request: a request in flight when the end began must not leave its connection to another one.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.isDraining) reply.header('connection', 'close');
    done();
  });
}

function addErrorAnswers(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler(async (error, request, reply) => {
    const isSlowTooLarge = request.routeOptions.config.rule?.isSlowTooLarge === true;
    const problem = toProblem(error, { isSlowTooLarge });
    if (problem.status === 500) log.error({ err: problem.cause ?? problem }, 'request failed');
    await sendProblem(request, reply, problem);
    return reply;
  });
  app.setNotFoundHandler(async (request, reply) => {
    await refuse(log, request, reply, new HttpProblem(404, 'NOT_FOUND'), pageProblem);
    return reply;
  });
}

const refuseUnknown = async (): Promise<never> => {
  throw new HttpProblem(404, 'NOT_FOUND');
};

/** 405 can be answered only to methods that the router knows. */
function offerAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
}

/** Bodies are read by our own hook, after authentication and permission; nothing is parsed by Fastify. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { serviceCaller } from '@catchment/access';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { DevicesServiceService } from '@catchment/contracts/devices';
import { DiagnosisServiceService } from '@catchment/contracts/diagnosis';
import { EventFeedServiceService } from '@catchment/contracts/event-feed';
import { EventsServiceService } from '@catchment/contracts/events';
import { ExportsServiceService } from '@catchment/contracts/exports';
import type { FeedPart, ReadFeedRequest } from '@catchment/contracts/feed';
import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import {
  AccountsServiceService,
  type AuthenticateResponse,
  LoadReportResponse,
  NodesServiceService,
  ReportsServiceService,
} from '@catchment/contracts/nodes';
import { OperatorServiceService } from '@catchment/contracts/operator';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { PagesServiceService } from '@catchment/contracts/pages';
import { PeopleServiceService } from '@catchment/contracts/people';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { RenderServiceService } from '@catchment/contracts/render';
import {
  type BeginRequestRequest,
  type BeginRequestResponse,
  RequestsServiceService,
} from '@catchment/contracts/requests';
import { SecurityServiceService } from '@catchment/contracts/security';
import { WebhooksServiceService } from '@catchment/contracts/webhooks';
import { DomainError, notFound } from '@catchment/errors';
import {
  type CallContext,
  CallerSigner,
  CallerVerifier,
  GrpcServerBuilder,
  type Peer,
  remotePeer,
} from '@catchment/grpc';
import { Readiness } from '@catchment/service';
import { createLogger } from '@catchment/telemetry';
import { openFrontEnd } from '../src/clients/front-end.ts';
import { connectPeers } from '../src/clients/peers.ts';
import { runbookPage } from '../src/clients/runbook.ts';
import { config as gateway } from '../src/config.ts';
import { type AppDeps, buildApp } from '../src/transport/app.ts';
import { Drain } from '../src/transport/drain.ts';
import { PEER_NAMES, type PeerName } from '../src/usecases/ports.ts';
import { openPush } from '../src/usecases/push/open-push.ts';
import { FilesFake } from './files-fake.ts';

export const SECRET = 'a-test-secret-of-more-than-32-characters';

export const KEYS = {
  modify: 'M'.repeat(40),
  readOnly: 'R'.repeat(40),
  disabled: 'D'.repeat(40),
  disabledReadOnly: 'E'.repeat(40),
  workspaces: 'W'.repeat(40),
  limited: 'L'.repeat(40),
  unknown: 'U'.repeat(40),
} as const;

export const ACCOUNT: AuthenticateResponse = {
  keyId: '5'.repeat(24),
  ownerId: '6'.repeat(24),
  userId: '7'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
  workspaceIds: [],
  accountStatus: 'ACTIVE',
  accountType: 'STANDARD',
  rights: undefined,
};
const ACCOUNTS: Record<string, AuthenticateResponse> = {
  [KEYS.modify]: ACCOUNT,
  [KEYS.readOnly]: { ...ACCOUNT, keyId: '8'.repeat(24), permission: 'READ_ONLY' },
  [KEYS.workspaces]: { ...ACCOUNT, accessLevel: 'WORKSPACES' },
  [KEYS.limited]: { ...ACCOUNT, accessLevel: 'LIMITED_WORKSPACES' },
  [KEYS.disabled]: { ...ACCOUNT, accountStatus: 'DISABLED' },
  [KEYS.disabledReadOnly]: { ...ACCOUNT, permission: 'READ_ONLY', accountStatus: 'DISABLED' },
};
const hash = (key: string | Uint8Array) => createHash('sha256').update(key).digest('hex');
export const isKey = (sha256: Uint8Array): boolean => BY_HASH.has(Buffer.from(sha256).toString('hex'));
const BY_HASH = new Map(Object.entries(ACCOUNTS).map(([key, account]) => [hash(key), account]));

type Chunk = { data: Buffer; contentType: string; revision: string };
export const chunk = (data: string | Buffer, contentType = '', revision = ''): Chunk => ({
  data: Buffer.from(data),
  contentType,
  revision,
});

/** Peers behave like this, by RPC; tests replace entries. Every call is kept in `calls`. */
export type Behaviour = {
  unary: (rpc: string, request: never, context: CallContext) => Promise<string>;
  stream: (rpc: string, request: never, context: CallContext) => AsyncIterable<Chunk>;
  authenticate: (keySha256: Uint8Array) => Promise<AuthenticateResponse>;
  isKnown: (sha256: Uint8Array) => boolean;
  people: (rpc: string, request: never) => Promise<object>;
  pages: (rpc: string, request: never, context: CallContext) => Promise<object>;
  /** Reads the next part of a stream of events or nodes. */
  readFeed: (kind: 'events' | 'nodes', request: ReadFeedRequest, context: CallContext) => Promise<FeedPart>;
  /** Accounts that have new events. */
  watch: (context: CallContext) => AsyncIterable<readonly string[]>;
  revisions: (ownerIds: readonly string[]) => Record<string, string>;
  beginRequest: (request: BeginRequestRequest) => Promise<BeginRequestResponse>;
};

const DEFAULTS: Behaviour = {
  unary: async (rpc) => JSON.stringify({ _id: '1'.repeat(24), rpc }),
  async *stream(rpc) {
    yield chunk(`[{"rpc":"${rpc}"}]`, '', 'r1');
  },
  authenticate: async (keySha256) => {
    const account = BY_HASH.get(Buffer.from(keySha256).toString('hex'));
    if (!account) throw new DomainError('unauthenticated', 'KEY_UNKNOWN', 'Unauthorized: authentication failed');
    return account;
  },
  // The lookup says whether the key is good.
  isKnown: () => true,
  people: async () => {
    throw new DomainError('unauthenticated', 'SESSION_ENDED', 'Unauthorized: authentication failed');
  },
  pages: async () => {
    throw notFound();
  },
  readFeed: async (_kind, { cursor }) => ({ messages: [], cursor: cursor || '0', hasMore: false }),
  async *watch() {
    yield [];
  },
  revisions: () => ({}),
  beginRequest: async ({ arrivalMs }) => ({
    requestId: 'r1',
    state: { $case: 'run', value: { number: 1, arrivalMs } },
  }),
};

/** Makes a stream that ends as the promise does, without a message. */
export async function* noMessages(end: () => Promise<unknown>): AsyncGenerator<never> {
  await end();
  yield* [];
}

export type Reply = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string; json: () => never };
export type Ask = {
  method?: string;
  key?: string | undefined;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

/** Opens a gateway on a real port in front of peers that speak the real protocol. */
export async function openGateway(
  options: {
    env?: Record<string, string>;
    behaviour?: Partial<Behaviour>;
    files?: FilesFake;
    now?: () => number;
    peersDrainMs?: number;
    deps?: Pick<AppDeps, 'budget' | 'onRoute' | 'placesMs'>;
  } = {},
) {
  const { files = new FilesFake() } = options;
  const behaviour: Behaviour = { ...DEFAULTS, ...options.behaviour };
  const calls: { rpc: string; request: Record<string, unknown>; context: CallContext }[] = [];
  const lines: string[] = [];
  const log = createLogger('gateway', {
    level: 'debug',
    destination: new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  });
  const note = (rpc: string, request: unknown, context: CallContext) =>
    calls.push({ rpc, request: request as Record<string, unknown>, context });
  const done = (rpc: string) => async (request: unknown, context: CallContext) => {
    note(rpc, request, context);
    await behaviour.unary(rpc, request as never, context);
    return {};
  };
  const unary = (rpc: string) => async (request: unknown, context: CallContext) => {
    note(rpc, request, context);
    return { json: Buffer.from(await behaviour.unary(rpc, request as never, context)) };
  };
  const empty = (rpc: string) => async (request: unknown, context: CallContext) => {
    await unary(rpc)(request, context);
    return {};
  };
  const stream = (rpc: string) =>
    async function* (request: unknown, context: CallContext) {
      note(rpc, request, context);
      yield* behaviour.stream(rpc, request as never, context);
    };
  const people =
    <R>(rpc: string) =>
    async (request: unknown, context: CallContext) => {
      note(rpc, request, context);
      return (await behaviour.people(rpc, request as never)) as R;
    };
  const pages =
    <R>(rpc: string) =>
    async (request: unknown, context: CallContext) => {
      note(rpc, request, context);
      return (await behaviour.pages(rpc, request as never, context)) as R;
    };
  const never = async () => {
    throw new DomainError('unimplemented', 'UNKNOWN_CALL', 'not offered by the fake');
  };
  const written = ({ json }: { json: Buffer }) => ({
    rows: json.length,
    parts: [{ sourceId: '2'.repeat(24), sequence: 7, nodeIds: ['1'.repeat(24)] }],
  });
  const builder = new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log: createLogger('peer', { level: 'silent' }),
    drainMs: options.peersDrainMs ?? 15_000,
  })
    .add(AccountsServiceService, {
      createAccount: never,
      authenticate: async (request, context) => {
        note('authenticate', request, context);
        serviceCaller(context.caller);
        return behaviour.authenticate(request.keySha256);
      },
      findSecrets: async (request, context) => {
        note('findSecrets', request, context);
        serviceCaller(context.caller);
        const isKnown = (sha256: Uint8Array) => behaviour.isKnown(sha256);
        return { knownSha256: request.sha256.filter(isKnown) };
      },
    })
    .add(OperatorServiceService, {
      listAccounts: unary('listAccounts'),
      changeAccount: unary('changeAccount'),
      getHealth: unary('getHealth'),
      listDeadLetters: unary('listDeadLetters'),
      retryDeadLetter: unary('retryDeadLetter'),
      dropDeadLetter: empty('dropDeadLetter'),
    })
    .add(OwnersServiceService, {
      getOwner: unary('getOwner'),
      updateOwner: unary('updateOwner'),
      createGroups: unary('createGroups'),
      updateGroup: unary('updateGroup'),
      deleteGroup: empty('deleteGroup'),
      getUsage: unary('getUsage'),
      getUsageOfNodes: unary('getUsageOfNodes'),
      getOwnLimits: unary('getOwnLimits'),
      getCategoryUses: unary('getCategoryUses'),
      getQuality: unary('getQuality'),
      getQualitySettings: never,
      updateQuality: unary('updateQuality'),
      getProfile: unary('getProfile'),
      updateProfile: unary('updateProfile'),
      listEntries: unary('listEntries'),
      getEntry: unary('getEntry'),
      createEntry: unary('createEntry'),
      updateEntry: unary('updateEntry'),
      deleteEntry: empty('deleteEntry'),
      updateAccount: never,
      deleteAccount: never,
    })
    .add(SecurityServiceService, {
      listAccess: unary('listAccess'),
      getOwnNotifications: unary('getOwnNotifications'),
      getSecurity: unary('getSecurity'),
      grantAccess: unary('grantAccess'),
      revokeAccess: unary('revokeAccess'),
      getNotifications: unary('getNotifications'),
      setPreferences: unary('setPreferences'),
      sendMessage: async (request, context) => {
        await unary('sendMessage')(request, context);
        return { emailUsers: 2, smsUsers: 1 };
      },
      previewMessage: unary('previewMessage'),
      subscribe: empty('subscribe'),
      unsubscribe: empty('unsubscribe'),
      stopEmails: empty('stopEmails'),
      listEnabledCategories: never,
      listClosedNodes: () => noMessages(never),
    })
    .add(RequestsServiceService, {
      beginRequest: async (request, context) => {
        note('beginRequest', request, context);
        return behaviour.beginRequest(request);
      },
      endRequest: async (request, context) => {
        note('endRequest', request, context);
        await behaviour.unary('endRequest', request as never, context);
        return {};
      },
    })
    .add(PeopleServiceService, {
      signIn: people('signIn'),
      signOut: people('signOut'),
      authenticateSession: people('authenticateSession'),
      getPerson: people('getPerson'),
      updatePerson: people('updatePerson'),
      changePassword: people('changePassword'),
      chooseAccount: people('chooseAccount'),
      listSignIns: people('listSignIns'),
      endSignIn: people('endSignIn'),
      listInvitations: people('listInvitations'),
      acceptInvitation: people('acceptInvitation'),
      declineInvitation: people('declineInvitation'),
      getLink: people('getLink'),
      useLink: people('useLink'),
      requestReset: people('requestReset'),
      createLink: never,
      listOwnKeys: people('listOwnKeys'),
      createOwnKey: people('createOwnKey'),
      deleteOwnKey: people('deleteOwnKey'),
      listPreferences: people('listPreferences'),
      getPreference: people('getPreference'),
      putPreference: people('putPreference'),
      deletePreference: people('deletePreference'),
    })
    .add(FilesServiceService, files.handlers(note))
    .add(NodesServiceService, {
      createNode: unary('createNode'),
      getNode: unary('getNode'),
      listNodes: stream('listNodes'),
      listAlarms: unary('listAlarms'),
      searchNodes: unary('searchNodes'),
      listChildren: unary('listChildren'),
      updateNode: unary('updateNode'),
      getRatingFile: async (request, context) => ({
        csv: (await unary('getRatingFile')(request, context)).json,
        name: 'Discharge.csv',
      }),
      putRatingFile: unary('putRatingFile'),
      deleteNode: empty('deleteNode'),
      moveNode: unary('moveNode'),
      unlinkNode: unary('unlinkNode'),
      cloneNode: stream('cloneNode'),
      resolveNodes: never,
      listParametersBelow: never,
      getSource: never,
      getFileSource: never,
      activateParameters: never,
      findPushSource: never,
      getAcquisition: never,
      ensureParameters: never,
      listDeviceSources: () => noMessages(never),
    })
    .add(HistoricServiceService, {
      write: async (request, context) => written(await unary('write')(request, context)),
      writeMany: async (request, context) => written(await unary('writeMany')(request, context)),
      writeNow: async (request, context) => written(await unary('writeNow')(request, context)),
      deleteAll: async (request, context) => written(await unary('deleteAll')(request, context)),
      read: stream('read'),
      readMany: stream('readMany'),
      readSeries: () => noMessages(never),
      readAggregateAt: () => noMessages(never),
      writeComputed: never,
      getEdges: never,
      tellFault: never,
      getProgress: never,
      getRecordLimits: async (request, context) => {
        note('getRecordLimits', request, context);
        return { recordDays: 0, rowsPerSourcePerDay: 100_000 };
      },
      getWriteState: async (request, context) => {
        await unary('getWriteState')(request, context);
        return { isDurable: true, isReadable: request.parts.every(({ sequence }) => sequence === 7) };
      },
      writeLines: async (request, context) => {
        const { json } = await unary('writeLines')(request, context);
        return { lines: 1, dropped: 0, problems: [], ...(JSON.parse(json.toString()) as object) };
      },
    })
    .add(ExportsServiceService, {
      createExport: unary('createExport'),
      listExports: unary('listExports'),
      getExport: unary('getExport'),
      deleteExport: empty('deleteExport'),
      readExport: stream('readExport'),
    })
    .add(AlarmsServiceService, {
      acknowledge: empty('acknowledge'),
      clear: empty('clear'),
      changeAlarms: async (request, context) => {
        await unary('changeAlarms')(request, context);
        return {
          outcomes: request.alarms.map(({ nodeRef }) =>
            nodeRef === '@gone'
              ? { kind: 'not_found', reason: 'NOT_FOUND', message: 'Not found' }
              : { kind: '', reason: '', message: '' },
          ),
        };
      },
    })
    .add(DevicesServiceService, {
      createDevice: unary('createDevice'),
      updateDevice: unary('updateDevice'),
      deleteDevice: unary('deleteDevice'),
      commandDevice: unary('commandDevice'),
      startRemote: unary('startRemote'),
      readRemote: unary('readRemote'),
      stopRemote: unary('stopRemote'),
      getContact: never,
      listRegistrations: never,
      releaseKey: never,
      getDevice: unary('getDevice'),
      listDevices: stream('listDevices'),
      ...files.ofSources(note),
      previewParser: unary('previewParser'),
      beginImport: (request, context) => files.ofSources(note).beginFile({ ...request, fileName: '' }, context),
      finishImport: never,
      listImports: unary('listImports'),
      getImport: unary('getImport'),
      cancelImport: unary('cancelImport'),
      acquire: async () => ({}),
      admitUplink: async (request, context) => {
        await behaviour.unary('admitUplink', request as never, context);
        return { ownerId: ACCOUNT.ownerId };
      },
      takeUplink: done('takeUplink'),
      takeSamples: done('takeSamples'),
    })
    .add(EventsServiceService, {
      listEvents: stream('listEvents'),
      createEvents: unary('createEvents'),
      clearEvents: unary('clearEvents'),
      getEventDays: async (request, context) => {
        note('getEventDays', request, context);
        return { eventDays: 0, debugEventDays: 30 };
      },
      countAlarmEvents: async (request, context) => {
        note('countAlarmEvents', request, context);
        return { counts: [{ eventType: 'STATE', count: 3 }] };
      },
    })
    .add(DiagnosisServiceService, { getDiagnosis: unary('getDiagnosis') })
    .add(PagesServiceService, {
      findPublic: pages('findPublic'),
      getPage: pages('getPage'),
      getTile: pages('getTile'),
    })
    .add(ReportsServiceService, {
      loadReport: async () => LoadReportResponse.fromPartial({}),
      warnOfReport: empty('warnOfReport'),
      listReportRuns: unary('listReportRuns'),
      runReport: unary('runReport'),
      previewSchedule: unary('previewSchedule'),
    })
    .add(WebhooksServiceService, {
      listWebhooks: unary('listWebhooks'),
      getWebhook: unary('getWebhook'),
      createWebhook: unary('createWebhook'),
      updateWebhook: unary('updateWebhook'),
      deleteWebhook: empty('deleteWebhook'),
      rotateSecret: unary('rotateSecret'),
      listDeliveries: unary('listDeliveries'),
      redeliver: unary('redeliver'),
      testWebhook: unary('testWebhook'),
    })
    .add(EventFeedServiceService, {
      readFeed: async (request, context) => {
        note('readFeed', request, context);
        return behaviour.readFeed('events', request, context);
      },
      async *watchAccounts(_request, context) {
        serviceCaller(context.caller, 'gateway');
        for await (const ownerIds of behaviour.watch(context)) yield { ownerIds: [...ownerIds] };
      },
    })
    .add(NodeFeedServiceService, {
      readFeed: async (request, context) => {
        note('readFeed', request, context);
        return behaviour.readFeed('nodes', request, context);
      },
      getRevisions: async ({ ownerIds }, { caller }) => {
        serviceCaller(caller, 'gateway');
        return { revisions: behaviour.revisions(ownerIds) };
      },
    })
    .add(ProcessingServiceService, {
      testProgram: unary('testProgram'),
      getComputation: unary('getComputation'),
      acquire: empty('acquire'),
      renderUrl: never,
      decodePayload: never,
      async *convert() {
        await never();
        yield { json: '' };
      },
    })
    .add(RenderServiceService, {
      renderChart: stream('renderChart'),
      renderReport: stream('renderReport'),
      renderPreview: async () => ({ jpeg: await files.jpeg() }),
    });
  const server = await builder.listen({ host: '127.0.0.1', port: 0 });
  const address = `127.0.0.1:${server.port}`;
  const config = gateway.read({
    HTTP_PORT: '0',
    SERVICE_TOKEN_SECRET: SECRET,
    NODES_ADDRESS: address,
    HISTORIC_ADDRESS: address,
    ALARMS_ADDRESS: address,
    DEVICES_ADDRESS: address,
    EVENTS_ADDRESS: address,
    RENDER_ADDRESS: address,
    PROCESSING_ADDRESS: address,
    ...options.env,
  });
  const peer = remotePeer(address);
  const peers = connectPeers(Object.fromEntries(PEER_NAMES.map((name) => [name, peer])) as Record<PeerName, Peer>);
  const drain = new Drain();
  const readiness = new Readiness();
  readiness.add('nodes', () => peers.check('nodes'));
  readiness.started();
  const signer = new CallerSigner(SECRET);
  const push = openPush({ peers, signer, log, limits: config.push });
  const frontEnd = openFrontEnd(config.pages.webRoot);
  const deps: AppDeps = {
    config,
    peers,
    signer,
    log,
    readiness,
    drain,
    push,
    frontEnd,
    runbook: runbookPage,
    ...options.deps,
  };
  const app = await buildApp(options.now ? { ...deps, now: options.now } : deps);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  let arePeersUp = true;
  const stopPeers = async () => {
    if (arePeersUp) await server.close();
    arePeersUp = false;
  };
  return {
    app,
    port,
    drain,
    push,
    readiness,
    calls,
    lines,
    behaviour,
    ask: (path: string, asked: Ask = {}) => ask(port, path, asked),
    stopPeers,
    async [Symbol.asyncDispose]() {
      push.close();
      app.server.closeAllConnections();
      await app.close();
      peers.close();
      await stopPeers();
    },
  };
}

/** Sends one raw request: nothing is decoded, followed or retried. `key: undefined` sends none; absent = the MODIFY key. */
function ask(port: number, path: string, asked: Ask = {}): Promise<Reply> {
  const key = 'key' in asked ? asked.key : KEYS.modify;
  const headers = {
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(asked.body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(asked.body.length) }),
    ...asked.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method: asked.method ?? 'GET', headers, agent: false },
      (response) => {
        // No answer may be taken for something else than it says, whatever asked for it.
        if (response.headers['x-content-type-options'] !== 'nosniff') reject(new Error(`${path}: not nosniff`));
        const chunks: Buffer[] = [];
        response.on('data', (data: Buffer) => chunks.push(data));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text,
            json: () => JSON.parse(text) as never,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(asked.body);
  });
}

import type { ApiCaller, Caller } from '@catchment/access';
import { Bus } from '@catchment/bus';
import { AttemptEnded } from '@catchment/contracts/alarms';
import { DiagnosisServiceService } from '@catchment/contracts/diagnosis';
import { EventRecorded } from '@catchment/contracts/events';
import { FilesServiceService, type FinishUploadRequest } from '@catchment/contracts/files';
import { AccountsServiceService, type NodeConfig, NodesServiceService } from '@catchment/contracts/nodes';
import { AccountChanged, ControlChanged, NodeChanged, NodesDeleted } from '@catchment/contracts/nodes-messages';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { PagesServiceService } from '@catchment/contracts/pages';
import { PeopleServiceService } from '@catchment/contracts/people';
import { ProgramsServiceService } from '@catchment/contracts/programs';
import { RequestsServiceService } from '@catchment/contracts/requests';
import { SecurityServiceService } from '@catchment/contracts/security';
import { FileLinks } from '@catchment/file-links';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { sha256OfKey } from '@catchment/ids';
import { Database, OutboxRelay } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { testNats } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { securityHandlers } from '../src/access/index.ts';
import { accountsHandlers, ownersHandlers } from '../src/accounts/index.ts';
import { pagesHandlers } from '../src/dashboards/transport/pages-handlers.ts';
import { diagnosisHandlers } from '../src/diagnosis/index.ts';
import type { Contacts } from '../src/diagnosis/usecases/ports.ts';
import { classNames } from '../src/domain/body/class-names.ts';
import { filesHandlers } from '../src/files/index.ts';
import { UnsubscribeLinks } from '../src/notifications/domain/unsubscribe-links.ts';
import { PersonLinks } from '../src/people/domain/person-link.ts';
import { peopleHandlers } from '../src/people/index.ts';
import { programsHandlers } from '../src/programs/transport/programs-handlers.ts';
import { markTransactions, requestsHandlers } from '../src/requests/index.ts';
import { nodesHandlers } from '../src/tree/index.ts';
import { nodeQueryColumns } from '../src/views/store/node-query-columns.ts';

export type Json = Record<string, unknown> & { _id: string };
const SECRET = 'a-test-secret-of-more-than-32-characters';
/** Sessions end after an hour without use, and after a day. */
export const SESSIONS = { sessionIdleMs: 3_600_000, sessionMaxMs: 86_400_000 };
const RENEW_MS = 20_000;
const CLASS = 'io.svc.models.node.';
const UNKNOWN: Contacts = { contact: async () => undefined, events: async () => undefined };
let accounts = 0;

/** Runs the service on a separate database and a separate part of the broker, and calls it over gRPC. */
/** @param contacts what other services know of sources; absent: nothing */
export async function openFixture(contacts: Contacts = UNKNOWN) {
  const [db, nats] = await Promise.all([migratedDatabase('nodes'), testNats()]);
  const log = createLogger('test', { level: 'silent' });
  const database = new Database({
    url: db.url,
    schema: 'nodes',
    applicationName: 'test',
    rehearsesTransactions: true,
    maxConnections: 16,
  });
  const bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 2, log });
  const names = classNames('io.svc');
  /** `pausesMs` has the skipped pauses. */
  const clock = { nowMs: Date.now(), answerWaitMs: 5_000, pausesMs: [] as number[] };
  const links = new PersonLinks({ appUrl: 'https://app.test', secret: SECRET });
  const deps = {
    database,
    names,
    links,
    unsubscribeLinks: new UnsubscribeLinks({ appUrl: 'https://app.test', secret: SECRET }),
    files: { links: new FileLinks(SECRET), baseUrl: 'https://files.test' },
    objects: bus.objects,
    log,
    now: () => clock.nowMs,
    contacts,
    pause: async (ms: number) => void clock.pausesMs.push(ms),
    get answerWaitMs() {
      return clock.answerWaitMs;
    },
    columns: nodeQueryColumns(names),
  };
  markTransactions(database);
  const server = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log })
    .add(NodesServiceService, nodesHandlers(deps))
    .add(AccountsServiceService, accountsHandlers(deps))
    .add(FilesServiceService, filesHandlers(deps))
    .add(OwnersServiceService, ownersHandlers({ ...deps, sendsSms: true }))
    .add(PagesServiceService, pagesHandlers(deps))
    .add(PeopleServiceService, peopleHandlers({ ...deps, ...SESSIONS }))
    .add(SecurityServiceService, securityHandlers({ ...deps, configured: { email: true, sms: true } }))
    .add(RequestsServiceService, requestsHandlers(deps))
    .add(ProgramsServiceService, programsHandlers(deps))
    .add(DiagnosisServiceService, diagnosisHandlers(deps))
    .listen({ host: '127.0.0.1', port: 0 });
  const address = `127.0.0.1:${server.port}`;
  const nodes = createGrpcClient(NodesServiceService, address);
  const accountsClient = createGrpcClient(AccountsServiceService, address);
  const files = createGrpcClient(FilesServiceService, address);
  const owners = createGrpcClient(OwnersServiceService, address);
  const pages = createGrpcClient(PagesServiceService, address);
  const people = createGrpcClient(PeopleServiceService, address);
  const security = createGrpcClient(SecurityServiceService, address);
  const requests = createGrpcClient(RequestsServiceService, address);
  const programs = createGrpcClient(ProgramsServiceService, address);
  const diagnosis = createGrpcClient(DiagnosisServiceService, address);
  const signer = new CallerSigner(SECRET);
  const renewing: NodeJS.Timeout[] = [];
  /** Options of calls by a caller, with a token that is renewed: tests may take longer than one lives. */
  const optionsOf = async (caller: Caller) => {
    const options = { token: await signer.sign(caller) };
    const renew = async () => {
      options.token = await signer.sign(caller);
    };
    renewing.push(setInterval(renew, RENEW_MS).unref());
    return options;
  };
  const service = await optionsOf({ kind: 'service', service: 'test' });
  const published = await collectPublished(bus);
  const relay = new OutboxRelay({ database, bus, log });

  const account = async (change: Partial<ApiCaller> = {}) => {
    accounts += 1;
    const request = {
      accountName: `Account ${accounts}`,
      email: `Jo${accounts}@Example.org`,
      firstName: '',
      lastName: '',
      accountType: '',
    };
    const made = await accountsClient.createAccount(request, service);
    const key = await accountsClient.authenticate(
      { keySha256: Buffer.from(sha256OfKey(made.administrationKey), 'hex') },
      service,
    );
    const caller: ApiCaller = {
      kind: 'api',
      ownerId: made.ownerId,
      userId: key.userId,
      username: key.username,
      permission: 'MODIFY',
      accessLevel: 'ACCOUNT',
      ...change,
    };
    return { ...made, caller, ...(await as(caller)) };
  };

  /** API operations as a caller. */
  const as = async (caller: ApiCaller) => {
    const options = await optionsOf(caller);
    const body = (object: unknown) => Buffer.from(JSON.stringify(object));
    const parse = ({ json }: { json: Uint8Array }) => JSON.parse(Buffer.from(json).toString()) as Json;
    return {
      options,
      create: async (cls: string, name: string, parentId?: string, more: object = {}) =>
        parse(
          await nodes.createNode(
            { body: body({ _class: CLASS + cls, name, ...(parentId && { parentId }), ...more }) },
            options,
          ),
        ),
      update: async (nodeRef: string, change: object, attr = '') =>
        parse(await nodes.updateNode({ nodeRef, body: body(change), attr, ifMatch: undefined }, options)),
      get: async (nodeRef: string, attr = '') => parse(await nodes.getNode({ nodeRef, attr, expiry: 0 }, options)),
      move: async (nodeRef: string, change: unknown, attr = '') =>
        parse(await nodes.moveNode({ nodeRef, body: body(change), attr, ifMatch: undefined }, options)),
      clone: async (nodeRef: string, given: object, query: { attr?: string; type?: string } = {}) => {
        const chunks = [];
        const request = { nodeRef, body: body(given), attr: '', type: '', expiry: 0, ...query };
        for await (const { data } of nodes.cloneNode(request, options)) chunks.push(data);
        return JSON.parse(Buffer.concat(chunks).toString()) as (Json & { children: Json[] })[];
      },
      unlink: async (nodeRef: string, attr = '') =>
        parse(await nodes.unlinkNode({ nodeRef, attr, ifMatch: undefined }, options)),
      /** Puts a file under a node, as the gateway does it. */
      upload: async (
        nodeRef: string,
        bytes: Uint8Array,
        fileName = 'data.bin',
        more: Partial<FinishUploadRequest> = {},
      ) => {
        const { fileId, segmentBytes } = await files.beginUpload({ nodeRef }, options);
        for (let index = 0; index * segmentBytes < bytes.length; index += 1) {
          const data = Buffer.from(bytes.subarray(index * segmentBytes, (index + 1) * segmentBytes));
          await files.writeSegment({ fileId, index, data }, options);
        }
        const given = { fileId, nodeRef, size: bytes.length, fileName, preview: Buffer.alloc(0), attr: '', expiry: 0 };
        return parse(await files.finishUpload({ ...given, ...more }, options));
      },
      remove: (nodeRef: string) => nodes.deleteNode({ nodeRef, ifMatch: undefined }, options),
      list: async (
        query: Partial<Record<'attr' | 'type' | 'filter' | 'sort', string>> & { limit?: number; skip?: number } = {},
      ) => {
        const chunks = [];
        const request = { attr: '', type: '', filter: '', sort: '', skip: 0, expiry: 0, ...query };
        for await (const chunk of nodes.listNodes(request, options)) chunks.push(chunk);
        const list = JSON.parse(Buffer.concat(chunks.map(({ data }) => data)).toString()) as (Json & {
          children: Json[];
        })[];
        return { list, chunks, revision: chunks[0]?.revision };
      },
      ensure: (sourceId: string, columns: Partial<Column>[]) =>
        nodes.ensureParameters(
          {
            sourceId,
            ownerId: '',
            columns: columns.map((column, index) => ({
              index,
              id: '',
              series: '',
              name: '',
              dataType: '',
              units: '',
              ...column,
            })),
          },
          options,
        ),
    };
  };

  /** Makes Workspace → Location → Jts source. */
  const source = async (api: Awaited<ReturnType<typeof as>>, more: object = {}) => {
    const workspace = await api.create('Workspace', 'Site');
    const location = await api.create('location.Location', 'Station', workspace._id);
    const jts = await api.create('source.data.Jts', 'Logger', location._id, more);
    return { workspace, location, source: jts };
  };

  /** Returns what the other services hear of a node. */
  const configOf = async (nodeId: string) => {
    const { nodes: found } = await nodes.resolveNodes({ nodeRefs: [nodeId], ownerId: await ownerOf(nodeId) }, service);
    return found[0] as NodeConfig;
  };
  const ownerOf = async (nodeId: string) => {
    const { rows } = await database.query<{ owner_id: string }>('SELECT owner_id FROM nodes WHERE node_id = $1', [
      nodeId,
    ]);
    return rows[0]?.owner_id ?? '';
  };

  const close = async () => {
    for (const timer of renewing) clearInterval(timer);
    nodes.close();
    accountsClient.close();
    files.close();
    owners.close();
    pages.close();
    people.close();
    security.close();
    programs.close();
    diagnosis.close();
    requests.close();
    await server.close();
    await relay.stop();
    await bus.close();
    await database.close();
    await Promise.all([db.drop(), nats.drop()]);
  };
  return {
    ...deps,
    bus,
    /** The broker. */
    nats,
    log,
    clock,
    nodes,
    accountsClient,
    fileClient: files,
    owners,
    pages,
    people,
    security,
    programs,
    diagnosis,
    requests,
    signer,
    optionsOf,
    service,
    account,
    as,
    source,
    configOf,
    published,
    close,
  };
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;
type Column = { id: string; series: string; name: string; dataType: string; units: string };

/** Collects messages that the outbox has published since the fixture opened. */
async function collectPublished(bus: Bus) {
  const changed: { created: boolean; node: NodeConfig; username: string }[] = [];
  const deleted: NodesDeleted[] = [];
  const events: EventRecorded[] = [];
  const accounts: AccountChanged[] = [];
  const attempts: AttemptEnded[] = [];
  const controls: ControlChanged[] = [];
  const ignore = () => {};
  bus.watch(
    'nodes.node.changed.v1',
    (data) => changed.push(NodeChanged.decode(data) as (typeof changed)[number]),
    ignore,
  );
  bus.watch('nodes.node.deleted.v1', (data) => deleted.push(NodesDeleted.decode(data)), ignore);
  bus.watch('events.event.recorded.v1', (data) => events.push(EventRecorded.decode(data)), ignore);
  bus.watch('nodes.account.changed.v1', (data) => accounts.push(AccountChanged.decode(data)), ignore);
  bus.watch('alarms.attempt.ended.v1', (data) => attempts.push(AttemptEnded.decode(data)), ignore);
  bus.watch('nodes.control.changed.v1', (data) => controls.push(ControlChanged.decode(data)), ignore);
  await bus.check();
  return {
    accounts,
    attempts,
    controls,
    changed,
    deleted,
    events,
    messagesOf: (nodeId: string) => events.filter((event) => event.nodeId === nodeId).map((event) => event.message),
  };
}

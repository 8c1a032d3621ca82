import { join } from 'node:path';
import { Bus } from '@catchment/bus';
import { DataTimesServiceService } from '@catchment/contracts/data-times';
import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { LimitsServiceService } from '@catchment/contracts/limits';
import { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import { AccountsServiceService, NodesServiceService, ReportsServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { PagesServiceService } from '@catchment/contracts/pages';
import { PeopleServiceService } from '@catchment/contracts/people';
import { ProgramsServiceService } from '@catchment/contracts/programs';
import { RatingsServiceService } from '@catchment/contracts/ratings';
import { RenderServiceService } from '@catchment/contracts/render';
import { SecurityServiceService } from '@catchment/contracts/security';
import { FileLinks } from '@catchment/file-links';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from '@catchment/grpc';
import { smtpSender } from '@catchment/mail';
import { Database, migrate, OutboxRelay } from '@catchment/pg';
import { runService, serveHealth } from '@catchment/service';
import { securityHandlers } from './access/index.ts';
import { accountsHandlers, ownersHandlers } from './accounts/index.ts';
import { startBackground } from './background.ts';
import { readConfig } from './config.ts';
import { pagesHandlers } from './dashboards/index.ts';
import { classNames } from './domain/body/class-names.ts';
import { nodeFeedHandlers } from './feed/index.ts';
import { filesHandlers } from './files/index.ts';
import { LevelFollowers, logLevelsHandlers } from './log-levels/index.ts';
import { ratingsHandlers } from './nodes/index.ts';
import { UnsubscribeLinks } from './notifications/index.ts';
import { PersonLinks, peopleHandlers } from './people/index.ts';
import { programsHandlers } from './programs/index.ts';
import { reportsHandlers } from './reports/index.ts';
import { reportRenderer, startReportMails } from './schedules/index.ts';
import { httpSmsSender, startSending } from './sending/index.ts';
import { refreshStale } from './shown/index.ts';
import { tellBackups } from './store/backup-metrics.ts';
import { nodesHandlers } from './tree/index.ts';
import { limitsHandlers } from './usage/index.ts';
import { dropOldLetters, readEdgesFrom, startReaders } from './values/index.ts';
import { dataTimesHandlers, nodeQueryColumns } from './views/index.ts';

await runService('nodes', async ({ name, log, readiness, signal, defer }) => {
  const config = readConfig(process.env);
  const health = await serveHealth({ host: config.healthHost, port: config.healthPort, readiness });
  defer(() => health.close());

  const { databaseUrl: url, databaseSchema: schema } = config;
  await migrate({ url, schema, folder: join(import.meta.dirname, '../migrations'), log, signal });
  const { databaseConnections: maxConnections } = config;
  const database = new Database({ url, schema, applicationName: name, maxConnections, log });
  defer(() => database.close());
  readiness.add('postgres', () => database.check());
  defer(tellBackups(database));
  // After an upgrade, filters and sort need them for all nodes. Pods of the release before serve meanwhile.
  await refreshStale({ database, signal });
  const bus = await Bus.open({
    url: config.natsUrl,
    name,
    log,
    signal,
    partitions: config.partitions,
    replicas: config.streamReplicas,
  });
  defer(() => bus.close());
  bus.tellStreams();
  readiness.add('nats', () => bus.check());
  const relay = new OutboxRelay({ database, bus, log });
  defer(() => relay.stop());

  const names = classNames(config.classNamespace);
  const links = new PersonLinks({ appUrl: config.appUrl, secret: config.serviceTokenSecret });
  const files = { links: new FileLinks(config.serviceTokenSecret), baseUrl: config.baseUrl };
  const { objects } = bus;
  const unsubscribeLinks = new UnsubscribeLinks({ appUrl: config.appUrl, secret: config.serviceTokenSecret });
  const deps = {
    database,
    names,
    links,
    unsubscribeLinks,
    files,
    objects,
    log,
    now: Date.now,
    columns: nodeQueryColumns(names),
  };
  const historic = createGrpcClient(HistoricServiceService, config.historicAddress);
  defer(() => historic.close());
  const signer = new CallerSigner(config.serviceTokenSecret);
  const readEdges = readEdgesFrom(historic, signer);
  const { renderAddress } = config;
  const render = renderAddress === undefined ? undefined : createGrpcClient(RenderServiceService, renderAddress);
  defer(() => render?.close());
  const readers = startReaders(bus, { ...deps, readEdges, acquisitionEventMs: config.acquisitionEventMs });
  defer(() => readers.stop());
  void dropOldLetters({ url: config.natsUrl, name, log }).catch((err: unknown) =>
    log.warn({ err }, 'dead letters of earlier releases could not be looked through, the next start does'),
  );
  const { sessionIdleMs, sessionMaxMs, mail, sms, baseUrl } = config;
  const mailSender = mail && smtpSender(mail);
  // Notifications in hand are finished, then the mail server is left, then the queue of mails: what it has in hand is tried again.
  const renderer = render && reportRenderer(render, signer, config.requestMaxMs);
  const background = startBackground({ ...deps, sessionIdleMs, sessionMaxMs, renderer, readEdges }, mailSender, log);
  defer(() => background.stop());
  defer(() => mailSender?.close());
  const sending = startSending(bus, { ...deps, mailSender, smsSender: sms && httpSmsSender(sms), baseUrl });
  defer(() => sending.stop());
  const reportMails = startReportMails(bus, { ...deps, mailSender, baseUrl });
  defer(() => reportMails.stop());
  const followers = new LevelFollowers();
  bus.watchLogLevels((change, answerTo) => followers.tell({ change, answerTo }));
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(config.serviceTokenSecret),
    log,
    connectionAgeMs: config.connectionAgeMs,
  })
    .add(NodesServiceService, nodesHandlers(deps))
    .add(NodeFeedServiceService, nodeFeedHandlers(deps))
    .add(AccountsServiceService, accountsHandlers(deps))
    .add(FilesServiceService, filesHandlers(deps))
    .add(OwnersServiceService, ownersHandlers(deps))
    .add(PagesServiceService, pagesHandlers(deps))
    .add(PeopleServiceService, peopleHandlers({ ...deps, sessionIdleMs, sessionMaxMs }))
    .add(LimitsServiceService, limitsHandlers(deps))
    .add(LogLevelsServiceService, logLevelsHandlers({ followers, bus }))
    .add(ProgramsServiceService, programsHandlers(deps))
    .add(RatingsServiceService, ratingsHandlers(deps))
    .add(ReportsServiceService, reportsHandlers({ ...deps, readEdges }))
    .add(
      SecurityServiceService,
      securityHandlers({ ...deps, configured: { email: mail !== undefined, sms: sms !== undefined } }),
    )
    .add(DataTimesServiceService, dataTimesHandlers(deps))
    .listen({ host: config.grpcHost, port: config.grpcPort });
  defer(() => server.close());
  // Before the server, which waits for its streams.
  defer(() => followers.close());
  log.info({ grpcPort: server.port, healthPort: health.port }, 'listening');
});

import { DataTimesServiceService } from '@catchment/contracts/data-times';
import { DiagnosisServiceService } from '@catchment/contracts/diagnosis';
import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { LimitsServiceService } from '@catchment/contracts/limits';
import { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import { AccountsServiceService, NodesServiceService, ReportsServiceService } from '@catchment/contracts/nodes';
import { OperatorServiceService } from '@catchment/contracts/operator';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { PagesServiceService } from '@catchment/contracts/pages';
import { PeopleServiceService } from '@catchment/contracts/people';
import { ProgramsServiceService } from '@catchment/contracts/programs';
import { RatingsServiceService } from '@catchment/contracts/ratings';
import { RenderServiceService } from '@catchment/contracts/render';
import { RequestsServiceService } from '@catchment/contracts/requests';
import { SecurityServiceService } from '@catchment/contracts/security';
import { FileLinks } from '@catchment/file-links';
import { smtpSender } from '@catchment/mail';
import { reportDatabaseSize } from '@catchment/pg';
import { openService, relayLogLevels } from '@catchment/service';
import { securityHandlers } from './access/index.ts';
import { accountsHandlers, ownersHandlers } from './accounts/index.ts';
import { startBackground } from './background.ts';
import { config } from './config.ts';
import { pagesHandlers } from './dashboards/index.ts';
import { contactsOfPeers, diagnosisHandlers } from './diagnosis/index.ts';
import { classNames } from './domain/body/class-names.ts';
import { nodeFeedHandlers } from './feed/index.ts';
import { filesHandlers } from './files/index.ts';
import { ratingsHandlers } from './nodes/index.ts';
import { UnsubscribeLinks } from './notifications/index.ts';
import { installationOf, operatorHandlers } from './operating/index.ts';
import { PersonLinks, peopleHandlers } from './people/index.ts';
import { programsHandlers } from './programs/index.ts';
import { reportsHandlers } from './reports/index.ts';
import { markTransactions, requestsHandlers } from './requests/index.ts';
import { reportRenderer, startReportMails } from './schedules/index.ts';
import { httpSmsSender, startSending } from './sending/index.ts';
import { reportBackups } from './store/backup-metrics.ts';
import { nodesHandlers } from './tree/index.ts';
import { limitsHandlers } from './usage/index.ts';
import { readEdgesFrom, startReaders } from './values/index.ts';
import { dataTimesHandlers, nodeQueryColumns } from './views/index.ts';

export const service = openService(config, async (scope) => {
  const { config, log, defer, database, bus, signer, peers } = scope;
  markTransactions(database);
  defer(reportBackups(database));
  bus.reportStreams(config.natsMonitorUrl);
  defer(reportDatabaseSize(database));

  const names = classNames(config.classNamespace);
  const links = new PersonLinks({ appUrl: config.appUrl, secret: config.serviceTokenSecret });
  const files = { links: new FileLinks(config.serviceTokenSecret), baseUrl: config.baseUrl };
  const { objects } = bus;
  const unsubscribeLinks = new UnsubscribeLinks({ appUrl: config.appUrl, secret: config.serviceTokenSecret });
  const deps = {
    database,
    contacts: contactsOfPeers({ devices: peers.devices, events: peers.events }, signer),
    names,
    links,
    unsubscribeLinks,
    files,
    objects,
    log,
    now: Date.now,
    columns: nodeQueryColumns(names),
  };
  const historic = peers.historic.client(HistoricServiceService);
  const readEdges = readEdgesFrom(historic, signer);
  const render = peers.render?.client(RenderServiceService);
  const readers = startReaders(bus, { ...deps, readEdges, acquisitionEventMs: config.acquisitionEventMs });
  defer(() => readers.stop());
  const { sessionIdleMs, sessionMaxMs, operators, mail, sms } = config;
  const installation = installationOf({ url: config.natsUrl, historic: peers.historic, signer });
  const appUrl = config.appUrl.replace(/\/+$/, '');
  const mailSender = mail && smtpSender(mail);
  // Notifications in hand are finished, then the mail server is left, then the queue of mails: what it has in hand is tried again.
  const renderer = render && reportRenderer(render, signer, config.requestMaxMs);
  const background = startBackground({ ...deps, sessionIdleMs, sessionMaxMs, renderer, readEdges }, mailSender, log);
  defer(() => background.stop());
  defer(() => mailSender?.close());
  const sending = startSending(bus, { ...deps, mailSender, smsSender: sms && httpSmsSender(sms), appUrl });
  defer(() => sending.stop());
  const reportMails = startReportMails(bus, { ...deps, mailSender, appUrl });
  defer(() => reportMails.stop());
  const logLevels = relayLogLevels(bus);
  await scope.serve((server) =>
    server
      .add(NodesServiceService, nodesHandlers(deps))
      .add(NodeFeedServiceService, nodeFeedHandlers(deps))
      .add(AccountsServiceService, accountsHandlers(deps))
      .add(FilesServiceService, filesHandlers(deps))
      .add(OwnersServiceService, ownersHandlers({ ...deps, sendsSms: sms !== undefined }))
      .add(PagesServiceService, pagesHandlers(deps))
      .add(PeopleServiceService, peopleHandlers({ ...deps, sessionIdleMs, sessionMaxMs, operators }))
      .add(OperatorServiceService, operatorHandlers({ ...deps, sessionIdleMs, sessionMaxMs, operators, installation }))
      .add(LimitsServiceService, limitsHandlers(deps))
      .add(LogLevelsServiceService, logLevels.handlers)
      .add(ProgramsServiceService, programsHandlers(deps))
      .add(RatingsServiceService, ratingsHandlers(deps))
      .add(RequestsServiceService, requestsHandlers(deps))
      .add(ReportsServiceService, reportsHandlers({ ...deps, readEdges }))
      .add(
        SecurityServiceService,
        securityHandlers({ ...deps, configured: { email: mail !== undefined, sms: sms !== undefined } }),
      )
      .add(DataTimesServiceService, dataTimesHandlers(deps))
      .add(DiagnosisServiceService, diagnosisHandlers(deps)),
  );
  // The streams close before the server, which waits for them.
  defer(() => logLevels.close());
});

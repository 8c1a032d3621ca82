import { AlarmHistoryServiceService } from '@catchment/contracts/events';
import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodesServiceService, ReportsServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { RenderServiceService } from '@catchment/contracts/render';
import { SecurityServiceService } from '@catchment/contracts/security';
import { Egress } from '@catchment/egress';
import { openService } from '@catchment/service';
import { chartedNodesClient } from './clients/charted-nodes-client.ts';
import { createDrawPool } from './clients/drawing/draw-pool.ts';
import { filesClient } from './clients/files-client.ts';
import { preferencesClient } from './clients/preferences-client.ts';
import { qualitiesClient } from './clients/qualities-client.ts';
import { accountCalls } from './clients/report/account-calls.ts';
import { alarmHistoryClient } from './clients/report/alarm-history-client.ts';
import { barcodes } from './clients/report/barcodes.ts';
import { InstalledChromium } from './clients/report/chromium/installed-chromium.ts';
import { printReports } from './clients/report/chromium/print-reports.ts';
import { reportFilesClient } from './clients/report/report-files-client.ts';
import { reportsClient } from './clients/report/reports-client.ts';
import { webPictures } from './clients/report/web-pictures.ts';
import { seriesClient } from './clients/series-client.ts';
import { config } from './config.ts';
import { renderHandlers } from './transport/render-handlers.ts';
import { answerReport, reportQueue } from './usecases/answer-report.ts';
import { drawingMemory } from './usecases/drawing-memory.ts';

/** Chromium is started anew after this many: it keeps some memory of each. */
const MAX_REPORTS = 200;

export const service = openService(config, async (scope) => {
  const { config, log, defer, signer, peers } = scope;
  const nodes = peers.nodes.client(NodesServiceService);
  const owners = peers.nodes.client(OwnersServiceService);
  const security = peers.nodes.client(SecurityServiceService);
  const files = peers.nodes.client(FilesServiceService);
  const historic = peers.historic.client(HistoricServiceService);
  const drawing = await createDrawPool({
    threads: config.drawThreads,
    heapMegabytes: config.drawHeapMegabytes,
  });
  defer(() => drawing.close());

  const reports = peers.nodes.client(ReportsServiceService);
  const alarmHistory = peers.events.client(AlarmHistoryServiceService);
  const chromium = new InstalledChromium(config, {
    hasSandbox: config.chromiumSandbox === 'auto' ? process.getuid?.() !== 0 : config.chromiumSandbox === 'on',
    warmPages: config.reportPages,
    idleMs: config.reportIdleSeconds * 1_000,
    maxReports: MAX_REPORTS,
    log,
  });
  defer(() => chromium.close());
  if (!chromium.find()) log.warn('there is no Chromium: reports are refused until one is installed');
  const fileReader = filesClient(files);

  const deps = {
    reports: reportsClient(reports, signer),
    alarms: alarmHistoryClient(alarmHistory, signer),
    printing: printReports(() => chromium.find()),
    reportFiles: reportFilesClient(files, fileReader, signer),
    web: webPictures(new Egress({ allowed: config.egressAllowedRanges })),
    pictures: drawing,
    pages: drawing.pages,
    barcodes,
    queue: reportQueue({ pages: config.reportPages, waiting: config.reportQueue }),
    accountCalls: accountCalls(signer),
    nodes: chartedNodesClient(nodes),
    records: seriesClient(historic),
    qualities: qualitiesClient(owners),
    preferences: preferencesClient(security),
    drawing,
    files: fileReader,
    previewing: drawing,
    maxRecords: config.maxRecords,
    maxBytes: config.maxBytes,
    maxMs: config.maxMs,
    memory: drawingMemory({ mib: config.drawMemoryMegabytes, waiting: config.drawQueue }),
    now: Date.now,
  };
  await scope.serve((server) =>
    server.add(
      RenderServiceService,
      renderHandlers(deps, (asked, call) => answerReport(deps, asked, call)),
    ),
  );
});

export { freePort } from '@catchment/servers';
export type { NatsCluster, PostgresPair } from '@catchment/servers/replicated';
export { amount, isLong, seedOf } from './amount.ts';
export { heldTransaction, limitStream, publishBytes, purgeStream, runSql } from './backend-faults.ts';
export { type EventStream, openEventStream, type StreamMessage } from './event-stream.ts';
export { fakeHandlers } from './fake-handlers.ts';
export { ftpServer, ownCertificate, s3Server, sftpServer } from './file-servers.ts';
export { type Ending, Front, type Target } from './front.ts';
export { hang } from './hang.ts';
export { flood, HostileServers } from './hostile-server.ts';
export { installedCommand } from './installed-command.ts';
export { isRunning } from './is-running.ts';
export {
  type MakerFile,
  makerDifferences,
  makerFiles,
  notSaid,
  type ReadSeries,
} from './maker-files.ts';
export { mosquittoPub } from './mosquitto.ts';
export { type KafkaMessage, type KafkaServer, ownKafka } from './own-kafka.ts';
export {
  hasClusterNats,
  ownInflux,
  ownNats,
  ownNatsCluster,
  ownPostgres,
  ownPostgresPair,
  removeDataFolder,
  sweepMemory,
  temporaryDataFolder,
} from './own-servers.ts';
export { QUIET_BROWSER, testChromium } from './programs.ts';
export { type OwnPrometheus, ownPrometheus, type PrometheusAlert, promtool, type ScrapeTarget } from './prometheus.ts';
export { FORMAT_READERS, pythonEnvironment } from './python-environment.ts';
export { seededRandom } from './random.ts';
export { pdfAsPng, readPdf } from './read-pdf.ts';
export { referenceRows } from './reference-rows.ts';
export { type SmallVolume, smallVolume } from './small-volume.ts';
export { endConnections, type TestDatabase, testDatabase } from './test-database.ts';
export { type TestInflux, testInflux } from './test-influx.ts';
export { type ReceivedMail, type TestMailServer, testMailServer } from './test-mail-server.ts';
export { natsLogin, type TestNats, testNats } from './test-nats.ts';
export { type TestSmsServer, testSmsServer } from './test-sms-server.ts';
export { HANGS_AFTER_MS, until } from './until.ts';
export { untilAborted } from './until-aborted.ts';

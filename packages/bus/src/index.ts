export { Bus, type BusOptions, type PublishOptions } from './bus.ts';
export type { CopiedMessage } from './copied-message.ts';
export { type DeadLetter, DeadLetters, type RetryOutcome, streamOf } from './dead-letters.ts';
export { decoded } from './decoded.ts';
export type { BatchHandler, BusMessage } from './delivered.ts';
export {
  FINDING_KINDS,
  type Finding,
  LEVELS,
  type Level,
  ofKind,
  ok,
  problem,
  unknown,
  warning,
  withoutLogin,
} from './finding.ts';
export { FINDING_BOUNDS } from './finding-bounds.ts';
export { type BrokerReport, inspectBroker, type ReaderReport, type StreamReport } from './inspect.ts';
export { askForLogLevel } from './log-levels.ts';
export { askMonitor, type MonitorReport } from './monitor.ts';
export type { Objects } from './objects.ts';
export { askForVersions, type ProcessVersion } from './process-versions.ts';
export {
  type DomainReaderName,
  OPTIONAL_READERS,
  type OptionalReaderName,
  type PartitionReaderName,
  partitionConsumerOf,
  type QueueReaderName,
} from './readers.ts';
export { isRefusedMessage } from './refused-message.ts';
export { type Floors, type HeldStream, STREAM_NAMES, StreamCopy, type StreamNumbers } from './stream-copy.ts';
export { deadLetterFindings, readerFindings, streamFindings } from './stream-findings.ts';
export { streamMaxBytes } from './stream-limits.ts';
export { type RestoredPositions, StreamRestore } from './stream-restore.ts';
export { STREAMS, type StreamName } from './streams.ts';
export type { LoggedMessage, UnneededFound, UnneededSearch } from './unneeded-messages.ts';
export {
  backoffMs,
  MAX_PROGRAM_FAILURES,
  MAX_UNKNOWN_FAILURES,
  RetryAfter,
  type Verdict,
  verdictOf,
} from './verdict.ts';
export { withoutPublishing } from './without-publishing.ts';

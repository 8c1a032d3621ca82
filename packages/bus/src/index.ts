export { Bus, type BusOptions } from './bus.ts';
export type { CopiedMessage } from './copied-message.ts';
export { type DeadLetter, DeadLetters } from './dead-letters.ts';
export { decoded } from './decoded.ts';
export type { BatchHandler, BusMessage } from './delivered.ts';
export {
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
export { type BrokerReport, inspectBroker } from './inspect.ts';
export { askForLogLevel } from './log-levels.ts';
export { askMonitor } from './monitor.ts';
export type { Objects } from './objects.ts';
export { askForVersions, type ProcessVersion } from './process-versions.ts';
export {
  type DomainReaderName,
  type OptionalReaderName,
  type PartitionReaderName,
  partitionConsumerOf,
} from './readers.ts';
export { isRefusedMessage } from './refused-message.ts';
export { type Floors, type HeldStream, STREAM_NAMES, StreamCopy, type StreamNumbers } from './stream-copy.ts';
export { deadLetterFindings, readerFindings, streamFindings } from './stream-findings.ts';
export { streamMaxBytes } from './stream-limits.ts';
export { StreamRestore } from './stream-restore.ts';
export { STREAMS } from './streams.ts';
export {
  backoffMs,
  MAX_PROGRAM_FAILURES,
  MAX_UNKNOWN_FAILURES,
  RetryAfter,
  verdictOf,
} from './verdict.ts';
export { withoutPublishing } from './without-publishing.ts';

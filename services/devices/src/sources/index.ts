export { historicClient } from './clients/historic-client.ts';
export { nodesClient } from './clients/nodes-client.ts';
export { processingClient } from './clients/processing-client.ts';
export {
  type Attribute,
  choice,
  flag,
  invalidAttribute,
  MASK,
  masked,
  object,
  orNull,
  readAttributes,
  schemaOf,
  text,
  whole,
} from './domain/attributes.ts';
export { JsonText } from './domain/document-part.ts';
export { eventSource, type SourceEvent } from './domain/source-event.ts';
export {
  entryFor,
  type FileEntry,
  type FileSource,
  type ImportSettings,
  ignored,
  parserFor,
  shownName,
} from './domain/source-file.ts';
export { isRefusal, MAX_INTERNAL_FAILURES } from './domain/write-failure.ts';
export { eventMessage, recordEvents } from './store/recorded-event.ts';
export { acquisitions, counted } from './usecases/acquisition-count.ts';
export { closedSources } from './usecases/closed-sources.ts';
export type {
  AcquisitionNodes,
  AcquisitionSettings,
  EventStored,
  FileWrite,
  FileWrites,
  Nodes,
  PushSource,
  Transactions,
  WriteBody,
  WriteToSource,
} from './usecases/ports.ts';
export { PushSources } from './usecases/push-sources.ts';
export { WriteQueue } from './usecases/write-queue.ts';

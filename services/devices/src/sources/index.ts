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
  WrittenSource,
} from './usecases/ports.ts';

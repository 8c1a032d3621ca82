export { isAllowed, plainAddress } from './domain/address-ranges.ts';
export { Admission, type AdmissionLimits } from './domain/admission.ts';
export { RoundRobin } from './domain/round-robin.ts';
export {
  type Listener,
  type ListenerSettings,
  type Listening,
  listenerSettings,
  listenersOf,
  listenOn,
  readTlsPair,
  type TlsPair,
} from './transport/listeners.ts';
export { FailedIdents, type FailureLimits } from './usecases/failed-idents.ts';
export { MessageMemory } from './usecases/message-memory.ts';
export type { Transport } from './usecases/transport.ts';

export type { RemoteStored } from './usecases/ports.ts';

export type { FileInWork, FileStored } from './usecases/ports.ts';

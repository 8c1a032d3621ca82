export { planPath } from './domain/path.ts';

export { programsHandlers } from './transport/programs-handlers.ts';
export { type AskedPath, type Found, lookUpAll } from './usecases/look-up.ts';
export { type Reader, readerOf } from './usecases/path-readers.ts';

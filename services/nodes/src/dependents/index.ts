export { boundedWarnings, type Warning } from './domain/warnings.ts';
export { type Watch, watchMove, watchRename } from './usecases/watch-dependents.ts';

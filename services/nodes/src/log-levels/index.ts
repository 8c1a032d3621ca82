export { logLevelsHandlers } from './transport/log-levels-handlers.ts';
export { LevelFollowers } from './usecases/level-followers.ts';

export { databaseSchema } from './common-settings.ts';
export { serveHealth } from './health-server.ts';
export { relayLogLevels } from './log-levels/relay-log-levels.ts';
export { openService, type ScopeOf, type Service, type Started } from './open-service.ts';
export { Readiness } from './readiness.ts';
export { type Repeated, repeat } from './repeat.ts';
export { runServices } from './run-services.ts';
export { type Environment, serviceConfig } from './service-config.ts';
export { startService } from './start-service.ts';

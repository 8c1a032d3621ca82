export { followLogLevels } from './follow-log-levels.ts';
export { serveHealth } from './health-server.ts';
export { Readiness, type ReadinessReport } from './readiness.ts';
export { type Repeated, repeat } from './repeat.ts';
export { runService, type ServiceScope } from './run-service.ts';

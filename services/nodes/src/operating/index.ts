export { installationOf } from './clients/installation.ts';
export { operatorHandlers } from './transport/operator-handlers.ts';

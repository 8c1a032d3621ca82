export { reportsHandlers } from './transport/reports-handlers.ts';

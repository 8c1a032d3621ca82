export { programsHandlers } from './transport/programs-handlers.ts';

export { pagesHandlers } from './transport/pages-handlers.ts';

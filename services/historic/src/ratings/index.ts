export { beginHandOver, endHandOver, handOverRatings } from './store/hand-over-ratings.ts';
export { handOverHandlers } from './transport/hand-over-handlers.ts';

export { nodeFeedHandlers } from './transport/feed-handlers.ts';
export { sweepGone } from './usecases/read-feed.ts';

export { MAX_CONTAINERS, MAX_DEPTH } from './check-nesting.ts';
export { parseJsonBody } from './parse-json-body.ts';

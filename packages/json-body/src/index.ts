export { checkNesting, MAX_CONTAINERS, MAX_DEPTH, NestingCheck } from './check-nesting.ts';
export { mayHoldUnstorable } from './check-texts.ts';
export { isJsonObject, type JsonObject } from './json-object.ts';
export { bodyText, parseJsonBody } from './parse-json-body.ts';

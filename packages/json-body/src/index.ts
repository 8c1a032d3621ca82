export { MAX_CONTAINERS, MAX_DEPTH } from './check-nesting.ts';
export { checkTexts, mayHoldUnstorable } from './check-texts.ts';
export { bodyText, parseJsonBody } from './parse-json-body.ts';

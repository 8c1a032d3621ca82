export { Budget } from './budget.ts';
export {
  DOCUMENT_WORK,
  type ExpressionText,
  hasExpressions,
  MESSAGE_WORK,
  type Objects,
  parseExpressions,
} from './expression-text.ts';

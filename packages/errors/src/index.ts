export {
  DomainError,
  invalid,
  naming,
  notFound,
  notPermitted,
  received,
  toDomainError,
  tooLarge,
  unavailable,
} from './domain-error.ts';
export { ERROR_KINDS, type ErrorKind } from './error-kinds.ts';
export { ERROR_TABLE } from './error-table.ts';
export { isContentFault } from './fault.ts';
export { HTTP_REASONS, REASONS, type Reason, type ReasonOf } from './reasons.ts';

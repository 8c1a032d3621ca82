export {
  DomainError,
  ERROR_KINDS,
  type ErrorKind,
  invalid,
  naming,
  notFound,
  notPermitted,
  toDomainError,
  tooLarge,
  unavailable,
} from './domain-error.ts';
export { ERROR_TABLE, type FailureVerdict, type StatusRow } from './error-table.ts';

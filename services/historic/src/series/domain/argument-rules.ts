import { type DomainError, invalid } from '@catchment/errors';

export const bad = (argument: string, rule: string): DomainError => invalid('INVALID_ARGUMENT', `${argument}: ${rule}`);

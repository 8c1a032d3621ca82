import { invalid } from '@catchment/errors';

export const badBody = (at: string, rule: string) => invalid('INVALID_BODY', `${at}: ${rule}`);

import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';

/** Lists of administrators and groups show this of a person. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly lastLoginMs: number | null;
};

/** Parts by which people are shown wherever a node lists them; `lastLoginTime` is null when there was none. */
export const contactView = ({ email, firstName, lastName, lastLoginMs }: Person): JsonObject => ({
  name: { first: firstName, last: lastName },
  contact: { email },
  account: { lastLoginTime: lastLoginMs === null ? null : formatIsoMs(lastLoginMs) },
});

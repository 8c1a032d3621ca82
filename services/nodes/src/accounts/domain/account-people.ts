import type { Person } from '../../rights/index.ts';
import type { GroupName } from './user-group.ts';

export type UserGroup = GroupName & { readonly users: readonly Person[] };

export type Profile = {
  readonly user_id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone: string | null;
  readonly timezone: string;
  readonly timezone_adjust_for_dst: boolean;
  readonly time_format: string;
  readonly created_ms: number;
};

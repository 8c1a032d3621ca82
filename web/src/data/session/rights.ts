import { standing } from './session.ts';

/** docs/reference/people-and-security.md: what a role allows. */
export type Right =
  | 'VIEW'
  | 'ATTACHMENT_READ'
  | 'EXPORT_DATA'
  | 'SEND_MESSAGE'
  | 'ACKNOWLEDGE_ALARMS'
  | 'EDIT_ALARMS'
  | 'EDIT_QUALITY'
  | 'EDIT_DATA'
  | 'CONTROL'
  | 'SUBSCRIBE_NOTIFICATIONS'
  | 'MANAGE_NOTIFICATIONS'
  | 'CONFIGURE'
  | 'SECURITY'
  | 'OWNER';

/** Owner, administrators and managers may do everything in the account, and make Workspaces. */
export const isAdministrator = (): boolean => standing() !== 'USER';

/** Returns rights of a node as the server reports them, by the rule by which it refuses. */
export const rightsOf = (node: object | undefined): readonly string[] | undefined =>
  (node as { readonly permissions?: readonly string[] } | undefined)?.permissions;

/** Returns whether the person may do something with a node. Only that is offered; the server refuses the rest anyway. */
export const may = (right: Right, node: object | undefined): boolean =>
  rightsOf(node)?.includes(right) ?? isAdministrator();

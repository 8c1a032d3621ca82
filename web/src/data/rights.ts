import { start } from './session.ts';

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
export const isAdministrator = (): boolean => start().account.standing !== 'USER';

/** Whether the person may do something with a node. What may not be done is not offered; the server refuses it anyway. */
export const may = (right: Right, node: { readonly permissions?: readonly string[] | undefined }): boolean =>
  node.permissions === undefined ? isAdministrator() : node.permissions.includes(right);

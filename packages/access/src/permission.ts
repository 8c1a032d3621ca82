/**
 * Permissions that a role may give in a workspace, in the order of the table in
 * docs/reference/people-and-security.md#permissions-and-roles; OWNER is in no role.
 */
export const PERMISSIONS = [
  'VIEW',
  'ATTACHMENT_READ',
  'EXPORT_DATA',
  'SEND_MESSAGE',
  'ACKNOWLEDGE_ALARMS',
  'EDIT_ALARMS',
  'EDIT_QUALITY',
  'EDIT_DATA',
  'CONTROL',
  'SUBSCRIBE_NOTIFICATIONS',
  'MANAGE_NOTIFICATIONS',
  'CONFIGURE',
  'SECURITY',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

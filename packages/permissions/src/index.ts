/** What a role may allow in a workspace, in the order of the table of semantics 11.3; OWNER is in no role. */
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

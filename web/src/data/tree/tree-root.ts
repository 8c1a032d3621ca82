/** The Workspaces have this in place of a parent. */
export const ROOT = '';

/** In place of a parent: that of the Workspaces. */
export const ROOT = '';

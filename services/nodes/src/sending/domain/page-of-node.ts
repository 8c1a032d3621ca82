/** A node's page in the console has parts; a report is a file. */
type Part = 'chart' | 'alarms' | 'diagnosis' | 'report';

/**
 * Returns the page for people of a node, to which mails lead (docs/reference/public-pages.md#console).
 * @param appUrl what addresses of pages begin with, without a slash at the end
 */
export const pageOfNode = (appUrl: string, accountSlug: string, nodeId: string, part: Part): string =>
  `${appUrl}/a/${accountSlug}/n/${nodeId}/${part}`;

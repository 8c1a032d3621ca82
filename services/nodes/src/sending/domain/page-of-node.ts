/**
 * The page for people of a node, to which mails lead (docs/reference/public-pages.md#pages-of-ones-own).
 * @param appUrl what addresses of pages begin with, without a slash at the end
 */
export const pageOfNode = (appUrl: string, accountSlug: string, nodeId: string): string =>
  `${appUrl}/a/${accountSlug}/n/${nodeId}`;

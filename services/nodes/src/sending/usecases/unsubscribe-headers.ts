/** Programs for mail show a button for these headers, which stops the mails by one request (RFC 8058). */
export const unsubscribeHeaders = (stopUrl: string) => ({
  'List-Unsubscribe': `<${stopUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

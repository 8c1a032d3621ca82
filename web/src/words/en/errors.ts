/**
 * Says what went wrong, by what a person can do about it, and by the server's reasons. A reason that is not here is shown as it was sent.
 */
export const errors = {
  kinds: {
    argument: '',
    authentication: 'You are signed out.',
    permission: 'You may not do this.',
    not_found: 'It is not there any more, or you may not see it.',
    too_large: 'That was too much at once. Ask for less.',
    rate_limited: 'Too many requests. Wait a moment.',
    unavailable: 'Catchment is not available at the moment. Try again.',
    server: 'Something went wrong on the server. Try again.',
    transport: 'There is no connection to the server.',
    unexpected: 'Something else than Catchment answered.',
    unsupported: 'The server is older than this page. Load the page again.',
    partial_write: 'Only a part was stored.',
  },
  reasons: {
    SIGN_IN_FAILED: 'The e-mail address or the password is wrong.',
    TOO_MANY_ATTEMPTS: 'Too many attempts. Wait some minutes.',
    TOO_MANY_REQUESTS: 'Too many requests. Wait a moment.',
    ACCOUNT_DISABLED: 'This account is disabled.',
    NOT_PERMITTED: 'You may not do this.',
    MODIFY_NEEDED: 'You may look at this, and not change it.',
    ACCOUNT_LEVEL_NEEDED: 'Only administrators may do this.',
    NOT_FOUND: 'It is not there any more, or you may not see it.',
    RECORDS_CHANGED: 'Somebody else has changed these records meanwhile.',
    REVISION_CHANGED: 'Somebody else has changed it meanwhile.',
    STOPPING: 'Catchment is restarting. Try again in a moment.',
  } as Readonly<Record<string, string>>,
  /** Joins a text of ours with what the server says of the value itself. */
  withSent: (text: string, sent: string) => `${text} The server says: ${sent}`,
  request: (id: string) => `Request ${id}`,
};

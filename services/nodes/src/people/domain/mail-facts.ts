/** A person's access to an account changed (docs/reference/people-and-security.md#people, `notify=TRUE`). */
export type AccessNews = {
  readonly userId: string;
  /** kept: named again, nothing changed; only people whose profile is not finished get a mail. */
  readonly change: 'granted' | 'changed' | 'revoked' | 'kept';
  /** This access was granted or revoked: `administrator access`, `the role 'View' in the workspace 'Site'`. */
  readonly what: string;
};

/** The facts in a mail; links are named by id, so that the queue holds no secret. */
export type MailFacts = {
  readonly firstName: string;
  readonly accountName: string;
  /** The person with this e-mail changed it. */
  readonly by: string;
  readonly news: readonly Pick<AccessNews, 'change' | 'what'>[];
  readonly linkId?: string;
  readonly linkExpiresMs?: number;
  /** Needed only where another profile has the same e-mail; looked up when the mail is sent. */
  readonly onlyIfKnown?: boolean;
};

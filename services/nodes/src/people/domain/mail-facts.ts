/** What changed for a person of an account (docs/reference/people-and-security.md#people, `notify=TRUE`). */
export type AccessNews = {
  readonly userId: string;
  /** kept: named again, nothing changed; only people whose profile is not finished get a mail. */
  readonly change: 'granted' | 'changed' | 'revoked' | 'kept';
  /** What is given, or was: `administrator access`, `the role 'View' in the workspace 'Site'`. */
  readonly what: string;
};

/** What the texts of the mails are made from; links are named by id, so that the queue opens nothing. */
export type MailFacts = {
  readonly firstName: string;
  readonly accountName: string;
  /** E-mail of the person who changed it. */
  readonly by: string;
  readonly news: readonly Pick<AccessNews, 'change' | 'what'>[];
  readonly linkId?: string;
  readonly linkExpiresMs?: number;
  /** Needed only where somebody else knows the e-mail too; looked up when the mail is sent. */
  readonly onlyIfKnown?: boolean;
};

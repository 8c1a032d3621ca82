export type NamedPeople = {
  /** By e-mail. */
  readonly userIds: ReadonlyMap<string, string>;
  /** Whose profile this has made. */
  readonly newUserIds: ReadonlySet<string>;
  /** `profileActivateUrl` by user id: shown in the answer to this request and never again. */
  readonly activateUrls: ReadonlyMap<string, string>;
  /** Who may not sign in with the password of before any more, and needs a link. */
  readonly releasedUserIds: ReadonlySet<string>;
};

export type NamedPeople = {
  /** The key is the e-mail. */
  readonly userIds: ReadonlyMap<string, string>;
  /** This has made the profiles of these users. */
  readonly newUserIds: ReadonlySet<string>;
  /** `profileActivateUrl` by user id: shown in the answer to this request and never again. */
  readonly activateUrls: ReadonlyMap<string, string>;
  /** The old password of these people no longer works; they need a link. */
  readonly releasedUserIds: ReadonlySet<string>;
};

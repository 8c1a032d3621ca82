export type NamedPeople = {
  /** The key is the e-mail. */
  readonly userIds: ReadonlyMap<string, string>;
  /** This has made the profiles of these users. */
  readonly newUserIds: ReadonlySet<string>;
  /** `profileActivateUrl` by user id: shown in the answer to this request and never again. */
  readonly activateUrls: ReadonlyMap<string, string>;
  /** People whose old password no longer works, and who need a link. */
  readonly releasedUserIds: ReadonlySet<string>;
};

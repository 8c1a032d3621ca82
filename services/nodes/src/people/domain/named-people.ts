export type NamedPeople = {
  /** By e-mail. */
  readonly userIds: ReadonlyMap<string, string>;
  /** Whose profile this has made. */
  readonly newUserIds: ReadonlySet<string>;
  /** `profileActivateUrl` by user id: shown in the answer to this request and never again. */
  readonly activateUrls: ReadonlyMap<string, string>;
  /** People whose old password no longer works, and who need a link. */
  readonly releasedUserIds: ReadonlySet<string>;
};

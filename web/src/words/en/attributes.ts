type Texts = Readonly<Record<string, string>>;
/** People call the attributes that forms are made of like this, by the names of the API. */
export type AttributeWords = {
  readonly labels: Texts;
  readonly choices: Texts;
  /** The key is the description of the API, which is English. */
  readonly hints: Texts;
};

/** The API's names of these attributes do not say what they are. Others are their words: `retryAttempts` is «Retry attempts». */
export const attributes: AttributeWords = {
  labels: {
    customId: 'Custom id',
    isEnabled: 'Enabled',
    isPublic: 'Public link',
    isAlarm: 'Is an alarm',
    isDirection: 'Is a direction',
    isRegex: 'Is a regular expression',
    categoryId: 'Category',
    coordinateSourceId: 'Source of coordinates',
    imageSourceId: 'Source of pictures',
    imageAttachmentId: 'Picture',
    timezoneAdjustForDst: 'Daylight saving time',
    quietMaxSeconds: 'Outdated after',
    expectedIntervalSeconds: 'Expected interval',
    excludeBeforeSeconds: 'Leave out what is older than',
    excludeAfterSeconds: 'Leave out what is newer than',
    messageAway: 'Message when it begins',
    messageTowards: 'Message when it ends',
    notify: 'Notify',
    ipWhitelist: 'Allowed addresses',
    sharedCode: 'Shared code',
    _class: 'Kind',
    process: 'Computation',
  },
  choices: {},
  // The API's descriptions are English themselves.
  hints: {},
};

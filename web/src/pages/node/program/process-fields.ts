/** Each attribute of `process` is a field of its own: what two people have changed of a program is distinguished. */
export const PROCESS_FIELDS = ['code', 'runMode', 'qualityFilter', 'secondaryInputs', 'aggregateInputs'] as const;

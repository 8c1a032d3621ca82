/** A form says these; its page knows the language. */
export type FormWords = {
  /** Names an attribute for people. */
  readonly label: (name: string) => string;
  /** The API's descriptions are here by their English texts; one that is missing is shown in English. */
  readonly hints: Readonly<Record<string, string>>;
  readonly choice: (field: string, value: string | number) => string;
  readonly usual: (text: string) => string;
  readonly none: string;
  readonly on: string;
  readonly off: string;
  readonly secretSet: string;
  readonly secretNone: string;
  readonly secretReplace: string;
  readonly secretKeep: string;
  readonly secretRemove: string;
  readonly add: (what: string) => string;
  readonly remove: (what: string) => string;
  readonly up: string;
  readonly down: string;
  readonly item: (index: number) => string;
  readonly kind: string;
  readonly chooseColour: (what: string) => string;
  readonly notNumber: string;
  readonly notJson: string;
  readonly required: string;
  readonly tooLong: (most: number, count: number) => string;
  readonly changes: (count: number) => string;
  readonly before: string;
  readonly after: string;
  readonly save: string;
  readonly saving: string;
  readonly discard: string;
  readonly kept: string;
  readonly locked: string;
  readonly conflict: string;
  readonly conflictAdvice: string;
  readonly base: string;
  readonly theirs: string;
  readonly mine: string;
  readonly takeTheirs: string;
  readonly takeMine: string;
  readonly nothing: string;
};

/**
 * The process ends with one of these, by what the caller can do about it. docs/reference/commands.md#exit-codes is made
 * of it.
 */
export const EXIT = {
  DONE: 0,
  FAILED: 1,
  USAGE: 2,
  NOT_ALLOWED: 3,
  NOT_FOUND: 4,
  NO_ANSWER: 5,
  LATER: 6,
  PARTLY: 7,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  DONE: 'done',
  FAILED: 'refused, or failed: the message says why',
  USAGE: 'wrong usage: an option, an argument or a value; nothing was sent',
  NOT_ALLOWED: 'the key is missing, wrong or revoked, or may not do this',
  NOT_FOUND: 'there is no such node, account, dead letter …, or the key may not see it',
  NO_ANSWER:
    'the answer is missing or incomplete: the network failed, the answer broke off, or the server is not Catchment',
  LATER: 'the installation is busy, starting or stopping, or the key has asked too often: try again later',
  PARTLY: 'only a part was done: the message says which',
};

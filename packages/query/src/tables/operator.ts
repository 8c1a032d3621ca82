import { text, whole } from '../argument.ts';

/** Asks for a page of all accounts of the installation, by name. */
export const ALL_ACCOUNTS = {
  after: text({ about: 'The `next` of the page before.', example: '53eada0ada91110000000046' }, { max: 24 }),
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 100, absent: 25 }),
  search: text({ about: 'Part of a name, or the beginning of a slug.', example: 'river' }, { max: 120 }),
};

/** Asks for a page of dead letters, the oldest first. */
export const DEAD_LETTERS = {
  after: whole({ about: 'The `next` of the page before.' }, { min: 0, max: Number.MAX_SAFE_INTEGER, absent: 0 }),
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 200, absent: 50 }),
};

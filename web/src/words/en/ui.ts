/** Every page says these. */
export const ui = {
  add: 'Add',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  again: 'Try again',
  loading: 'Loading',
  more: 'More',
  undo: 'Undo',
  yes: 'Yes',
  no: 'No',
  now: 'now',
  noValue: 'no value',
  leave: 'Stop waiting',
};

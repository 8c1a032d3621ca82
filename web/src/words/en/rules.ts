import { counted } from '../plural.ts';

const n = counted('en');

/** These words come with the part «States and alarms». */
export const rules = {
  readOnly: 'You may look at states and alarms here, and not change them.',
  states: 'States',
  hysteresis: 'Hysteresis',
  hysteresisText: 'A state is left only once the value has come back by more than this.',
  alarms: 'Alarms',
  kinds: { RANGE: 'Ranges: from a value on', DISCRETE: 'Single values' } as Readonly<Record<string, string>>,
  kindsLabel: 'How states are found',
  kindChanges: 'Another way begins with its own states. Discard brings these back.',
  chart: (name: string) => `Thresholds of ${name} in the chart`,
  dragHint: 'Drag a threshold in the chart, or move it by the arrow keys: with Shift it goes ten steps.',
  threshold: (state: string) => `Threshold of ${state}`,
  stops: {
    above: (own: string, at: string, other: string, from: string) =>
      `${own} stops at ${at}: ${other} begins at ${from}.`,
    below: (own: string, at: string, other: string, from: string) =>
      `${own} stops at ${at}: ${other} begins at ${from}.`,
    equal: (own: string, at: string, other: string, from: string) =>
      `${own} stays at ${at}: ${other} has ${from} already.`,
  },
  disorder: {
    above: (other: string, from: string) => `It must be below ${from}, where ${other} begins.`,
    below: (other: string, from: string) => `It must be above ${from}, where ${other} begins.`,
    equal: (other: string, from: string) => `${other} has ${from} already.`,
  },
  addHigh: 'Add a high state',
  addLow: 'Add a low state',
  add: 'Add a state',
  remove: (state: string) => `Remove ${state}`,
  noStates: 'There are no states: no value means anything special, and none raises an alarm.',
  more: 'Messages, quality and more',
  normal: 'Everything between the low and the high states.',
  raises: 'raises the alarm',
  counting: 'counting',
  countFailed: 'How often states would be entered could not be counted.',
  entered: (count: number) => n(count, { zero: 'not entered', one: 'entered once', other: 'entered # times' }),
  before: (count: number) => n(count, { zero: 'now not at all', one: 'now once', other: 'now # times' }),
  lasted: (text: string) => `for ${text} in all`,
  lastAt: (time: string) => `last ${time}`,
  countsOf: (from: string, to: string, records: number) =>
    `Counted from ${from} to ${to}, ${n(records, { one: '# record', other: '# records' })}: as the settings below would have it.`,
  countsCut: (from: string, most: string) => `Only the newest ${most} records are counted, from ${from} on.`,
  countsNone: 'There are no records in this time to count states of.',
  raisedBy: (states: string) => `Raised by ${states}.`,
  raisedByNone: 'No state raises it: tick «Is an alarm» at one.',
  locationStates: 'The states of a place come from its parameters, and are set there.',
  notified: 'Who is notified',
  notifiedText:
    'People who are subscribed to this node are notified, by the ways that they have ticked for its category. The ways hold in the whole Workspace.',
  notifiedLoading: 'The subscribers are being read',
  notifiedFailed: 'The subscribers could not be read.',
  notifiedNobody: 'Nobody is subscribed to this node: nobody is notified of its alarms.',
  noNotify: 'No state and no alarm here notifies: set «Notify» at one of them.',
  person: 'Person',
  byGroup: (groups: string) => `by ${groups}`,
  email: 'e-mail',
  sms: 'SMS',
  way: (category: string, way: string, person: string) => `${category} by ${way} to ${person}`,
  hearsNothing: 'gets nothing: no way is ticked',
  subscribe: 'Notify me',
  unsubscribe: 'Stop notifying me',
  subscribeOther: 'Notify another person',
  subscribeOtherNone: 'Choose a person',
  unsubscribeOther: (person: string) => `Stop notifying ${person}`,
  test: 'Send a test message',
  testTo: (person: string) => `Send a test message to ${person}`,
  testText: (node: string, time: string) =>
    `Test: this is how you are notified of ${node}. Nothing has happened. Sent by hand at ${time}.`,
  testSent: (person: string, ways: string) => `A test message goes to ${person} by ${ways}.`,
  testNone: (person: string) =>
    `Nothing can be sent to ${person}: this installation has no mail server or SMS gateway, or there is no phone number.`,
  and: ' and ',
  preview: 'It would read now:',
  previewUsual: 'Empty: the usual text is sent.',
  previewFailed: 'It cannot be evaluated:',
};

export type RulesWords = typeof rules;

/**
 * Each type of alarm has its name for people, and what raises and clears it, in the order in which filters show them
 * (docs/reference/alarms.md#alarm-object). Another language that lacks one does not compile.
 */
export const alarmTypes = {
  stateAlarm: {
    name: 'State',
    raised: 'Raised when a state is entered that is an alarm, cleared when it is left for one that is none.',
  },
  qualityAlarm: {
    name: 'Quality',
    raised: 'Raised by a record of one of these types of quality, cleared by the next record of none of them.',
  },
  outdatedAlarm: {
    name: 'Outdated',
    raised: 'Raised when no new data come for longer than «Outdated after» of the source, cleared as soon as they do.',
  },
  communicationsAlarm: {
    name: 'Communications',
    raised: 'Raised when a session with the device fails after all tries, cleared when the next one gets through.',
  },
  dataAlarm: {
    name: 'Data',
    raised:
      'Raised when records lie outside of the time that is taken, or a file cannot be read; cleared by the next data without such a fault.',
  },
  processAlarm: {
    name: 'Process',
    raised: 'Raised when the program or rating fails or its input is gone, cleared by the next run that succeeds.',
  },
  controlAlarm: {
    name: 'Control',
    raised: 'Raised when the logger refuses to be controlled, cleared when the next control succeeds.',
  },
  configurationAlarm: {
    name: 'Configuration',
    raised: 'Raised when a program, file or setting cannot be sent to the logger, cleared when the next one is sent.',
  },
  overloadAlarm: {
    name: 'Overload',
    raised: 'Raised when rows or files are dropped by a daily limit, cleared the next day. It is always on.',
  },
};

export type AlarmType = keyof typeof alarmTypes;

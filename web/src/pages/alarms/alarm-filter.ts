import type { Alarm } from '../../data/alarms/alarms.ts';

/** The address of the alarms says this. */
export type AlarmFilter = {
  readonly state: '' | 'ACTIVE' | 'ACKNOWLEDGED';
  readonly type: string;
  /** True for those alone that the person has acknowledged. */
  readonly isMine: boolean;
};

export const ALL: AlarmFilter = { state: '', type: '', isMine: false };

/** @param types that there are */
export function filterOf(query: Readonly<Record<string, string>>, types: readonly string[]): AlarmFilter {
  const state = query.state?.toUpperCase();
  return {
    state: state === 'ACTIVE' || state === 'ACKNOWLEDGED' ? state : '',
    type: types.find((type) => type === query.type) ?? '',
    isMine: query.mine === 'true',
  };
}

export const argumentsOf = ({ state, type, isMine }: AlarmFilter): Record<string, string> => ({
  ...(state !== '' && { state }),
  ...(type !== '' && { type }),
  ...(isMine && { mine: 'true' }),
});

export const isFiltered = (filter: AlarmFilter): boolean => Object.keys(argumentsOf(filter)).length > 0;

export const takes = ({ state, type, isMine }: AlarmFilter, alarm: Alarm, me: string): boolean =>
  (state === '' || alarm.alarmState === state) &&
  (type === '' || alarm.alarmType === type) &&
  (!isMine || alarm.acknowledgeUsername === me);

import { type Device, type FollowedSource, SCHEDULE_TYPES, type SourceBefore } from '../../registry/index.ts';

/** Returns whether the device is in the same Workspace, in none yet, or in that which the source has just left with it. */
export const mayUse = (
  device: Pick<Device, 'deviceKey' | 'workspaceId'>,
  source: Pick<FollowedSource, 'workspaceId'>,
  before: SourceBefore | undefined,
): boolean =>
  device.workspaceId === null ||
  device.workspaceId === source.workspaceId ||
  (before?.deviceKey === device.deviceKey && before.workspaceId === device.workspaceId);

/** The event log says once that a source may not use a device: when it names the device, and after each move. */
export const isRefusalNews = (
  { deviceKey, workspaceId }: Pick<FollowedSource, 'deviceKey' | 'workspaceId'>,
  before: SourceBefore | undefined,
): boolean => before?.deviceKey !== deviceKey || before?.workspaceId !== workspaceId;

/** Returns the schedule type that a device takes over from its oldest source; undefined: it keeps its own. */
export function newScheduleType(
  { config }: Pick<Device, 'config'>,
  oldest: { readonly scheduleType: string } | undefined,
): (typeof SCHEDULE_TYPES)[number] | undefined {
  const wanted = SCHEDULE_TYPES.find((type) => type === oldest?.scheduleType);
  return config && config.schedule.scheduleType !== wanted ? wanted : undefined;
}

/** The ways to reach people. */
export const CHANNELS = ['email', 'sms'] as const;
export type ChannelName = (typeof CHANNELS)[number];

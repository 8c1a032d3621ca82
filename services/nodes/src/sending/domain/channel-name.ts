/** The ways to reach people. */
export const CHANNELS = ['email', 'sms'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** True for the channels by which messages can be sent. */
export type Configured = Readonly<Record<ChannelName, boolean>>;
/** Texts name the channels so. */
export const CHANNEL_LABELS: Readonly<Record<ChannelName, string>> = { email: 'email', sms: 'SMS' };
/** A channel sends nothing for this reason. */
export const NOT_CONFIGURED: Readonly<Record<ChannelName, string>> = {
  email: 'no mail server is configured',
  sms: 'no SMS gateway is configured',
};

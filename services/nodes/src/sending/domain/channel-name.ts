/** The ways to reach people. */
export const CHANNELS = ['email', 'sms'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** By which of them messages can be sent. */
export type Configured = Readonly<Record<ChannelName, boolean>>;
/** In texts. */
export const CHANNEL_LABELS: Readonly<Record<ChannelName, string>> = { email: 'email', sms: 'SMS' };
/** Why nothing is sent by one. */
export const NOT_CONFIGURED: Readonly<Record<ChannelName, string>> = {
  email: 'no mail server is configured',
  sms: 'no SMS gateway is configured',
};

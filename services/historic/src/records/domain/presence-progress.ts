/** The first `done` timestamps have their findings. */
export type PresenceProgress = { readonly presence: Uint8Array; done: number };

export const presenceProgress = (length: number): PresenceProgress => ({ presence: new Uint8Array(length), done: 0 });

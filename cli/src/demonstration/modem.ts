/** Time between two simulated reports. */
export const MODEM_INTERVAL_SECONDS = 10;

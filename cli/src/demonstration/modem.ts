/** The time between two reports of the simulated modem. */
export const MODEM_INTERVAL_SECONDS = 10;

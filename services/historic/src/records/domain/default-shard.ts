/** The InfluxDB of INFLUX_URL has every series that is not said to be elsewhere. */
export const DEFAULT_SHARD = 'default';

/** The InfluxDB of INFLUX_URL: where everything is that is not said to be elsewhere. */
export const DEFAULT_SHARD = 'default';

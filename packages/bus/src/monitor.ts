import { REMOTE_LIMITS, textWithin } from '@catchment/egress';

/** The monitoring port of NATS (`http_port`) alone reports this. */
export type MonitorReport = {
  /** A server before 2.10 cannot. */
  readonly isSyncAlways: boolean;
  /** Its clock minus ours, ms. */
  readonly skewMs: number | undefined;
  /** All that streams and attachments may take of its disk, bytes. */
  readonly limitBytes: number | undefined;
};

type Jsz = { now?: string; config?: { sync_always?: boolean; max_storage?: number } };

/** @param url as NATS_MONITOR_URL @throws Error while it does not answer */
export async function askMonitor(url: string, signal: AbortSignal): Promise<MonitorReport> {
  const beganMs = Date.now();
  const response = await fetch(new URL('/jsz?config=true', url), { signal });
  if (!response.ok) throw new Error(`NATS_MONITOR_URL answered ${response.status}`);
  const { now, config } = JSON.parse(await textWithin(response.body, REMOTE_LIMITS.reply)) as Jsz;
  return {
    isSyncAlways: config?.sync_always === true,
    skewMs: now === undefined ? undefined : Date.parse(now) - (beganMs + Date.now()) / 2,
    limitBytes: config?.max_storage || undefined,
  };
}

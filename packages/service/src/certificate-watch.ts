import { readFile } from 'node:fs/promises';
import { atMostEvery, gauge, type Logger } from '@catchment/telemetry';
import { type CertificateFile, certificateEndMs, certificateFiles } from './certificate-files.ts';

const DAY_MS = 86_400_000;
/** Each day has a line of the log from then on. */
const SOON_DAYS = 21;
const READ_EVERY_MS = 60_000;

const remaining = gauge({
  name: 'catchment_certificate_remaining_seconds',
  help: 'Time until the end of a certificate that this process serves, or uses for a server; negative after the end. The label is the setting that names its file. A certificate that was read at the start counts as it was then.',
  labels: ['certificate'],
});

type Options = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly now?: () => number;
  /** Runs `work` every day. @returns ends it */
  readonly daily?: (work: () => void) => () => void;
};

/**
 * Reports when the certificates end that the settings of a service name: a metric, a line of the log for each at the
 * start, and a line every day for those that end soon. A certificate that cannot be read is the business of whoever
 * uses it.
 */
export async function watchCertificates({ env, log, now = Date.now, daily = everyDay }: Options): Promise<() => void> {
  const files = certificateFiles(env);
  if (files.length === 0) return () => {};
  const atStart = new Map(await endsOf(files));
  // A process serves the certificate that it read at its start: a file that was renewed meanwhile helps after the next start only.
  const ends = async () =>
    (await endsOf(files)).map(
      ([file, endMs]) => [file, file.isReadAgain ? endMs : (atStart.get(file) ?? endMs)] as const,
    );
  const known = atMostEvery(READ_EVERY_MS, ends);
  const stopReporting = remaining.from(async () =>
    (await known()).map(([{ name }, endMs]) => [{ certificate: name }, (endMs - now()) / 1_000] as const),
  );
  for (const [file, endMs] of atStart) report(log, file, endMs, now(), true);
  const stopDays = daily(() => {
    void ends().then((all) => {
      for (const [file, endMs] of all) report(log, file, endMs, now(), false);
    });
  });
  return () => {
    stopReporting();
    stopDays();
  };
}

async function endsOf(files: readonly CertificateFile[]): Promise<(readonly [CertificateFile, number])[]> {
  const read = files.map(async (file) => [file, certificateEndMs(await readFile(file.file), file.kind)] as const);
  return (await Promise.allSettled(read)).flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function report(log: Options['log'], { name, file }: CertificateFile, endMs: number, nowMs: number, isStart: boolean) {
  const days = Math.floor((endMs - nowMs) / DAY_MS);
  const line = { certificate: name, file, ends: new Date(endMs).toISOString(), days };
  if (endMs <= nowMs) log.error({ ...line }, 'a certificate has ended: renew it, and start the process again');
  else if (days < SOON_DAYS) log.warn({ ...line }, 'a certificate ends soon: renew it, and start the process again');
  else if (isStart) log.info({ ...line }, 'a certificate is used');
}

function everyDay(work: () => void): () => void {
  const timer = setInterval(work, DAY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

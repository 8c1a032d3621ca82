import { nowMs } from '../data/streams/connection.ts';
import { times } from '../data/times.ts';

/** Says how long ago; the exact time in the person's zone is there for those who point at it and for screen readers. */
export function Since({ iso, text }: { readonly iso: string | null | undefined; readonly text?: string }) {
  const ms = Date.parse(iso ?? '');
  if (!Number.isFinite(ms)) return text === undefined ? null : <span>{text}</span>;
  const { ago, whole, zone } = times();
  return (
    <time class="since" dateTime={iso!} title={`${whole(ms)} (${zone.name})`}>
      {ago(ms, nowMs.value)}
    </time>
  );
}

/** The exact time. */
export function At({ iso }: { readonly iso: string }) {
  const ms = Date.parse(iso);
  if (!Number.isFinite(ms)) return null;
  return (
    <time dateTime={iso} title={times().zone.name}>
      {times().whole(ms)}
    </time>
  );
}

import { absoluteTime, relativeTime } from '../format/times.ts';
import { usePage } from './page-context.ts';

/** Says how long ago; the exact time in the view's zone is there for those who point at it and for screen readers. */
export function TimeText({ iso }: { readonly iso: string }) {
  const { nowMs, zone } = usePage();
  const ms = Date.parse(iso);
  if (!Number.isFinite(ms)) return null;
  const exact = `${absoluteTime(ms, zone.value)} (${zone.value.name})`;
  return (
    <time class="time" dateTime={iso} title={exact}>
      <span class="not-print">{relativeTime(ms, nowMs.value)}</span>
      <span class="only-print">{absoluteTime(ms, zone.value)}</span>
    </time>
  );
}

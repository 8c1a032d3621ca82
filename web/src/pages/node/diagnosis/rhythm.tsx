import type { Diagnosis } from '../../../data/sources/diagnosis.ts';
import { times } from '../../../data/times.ts';
import { words } from '../../../words/index.ts';

const [WIDTH, HEIGHT, EDGE] = [600, 28, 4];
/** This many usual intervals are shown beside the time of silence: a contact of long ago must not squeeze the others. */
const SHOWN = 12;

/** Shows when the source was heard of lately, and when it should have been: a stroke for each contact, from left to right. */
export function Rhythm({ diagnosis, nowMs }: { readonly diagnosis: Diagnosis; readonly nowMs: number }) {
  const { diagnosis: say } = words.value;
  const all = diagnosis.contacts.map((iso) => Date.parse(iso)).filter(Number.isFinite);
  const last = all[0];
  // One contact is no rhythm.
  if (last === undefined || all.length < 2) return null;
  const usualMs = (diagnosis.usualInterval?.seconds ?? 0) * 1_000;
  const oldest = all.at(-1) ?? last;
  const from = usualMs > 0 ? Math.max(oldest, last - Math.max(SHOWN * usualMs, nowMs - last)) : oldest;
  const shown = all.filter((ms) => ms >= from);
  const due = usualMs > 0 ? last + usualMs : undefined;
  const to = Math.max(nowMs, due ?? 0, from + 1_000);
  const x = (ms: number) => EDGE + ((ms - from) / (to - from)) * (WIDTH - 2 * EDGE);
  const { whole } = times();
  return (
    <figure class="rhythm">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say.rhythmShown(shown.length, whole(from), whole(last))}
      >
        <path class="rhythm-line" d={`M${EDGE} ${HEIGHT / 2}H${WIDTH - EDGE}`} />
        {diagnosis.state.isSilent && (
          <rect class="rhythm-silence" x={x(last)} y="6" width={Math.max(0, x(nowMs) - x(last))} height={HEIGHT - 12} />
        )}
        {shown.map((ms) => (
          <path key={ms} class="rhythm-contact" d={`M${x(ms).toFixed(1)} 4V${HEIGHT - 4}`} />
        ))}
        {due !== undefined && <path class="rhythm-due" d={`M${x(due).toFixed(1)} 2V${HEIGHT - 2}`} />}
      </svg>
      <figcaption>
        <span>{whole(from)}</span>
        {due !== undefined && (
          <span class="rhythm-key">
            <span class="rhythm-dash" aria-hidden="true" /> {say.due}
          </span>
        )}
        <span>{say.now}</span>
      </figcaption>
    </figure>
  );
}

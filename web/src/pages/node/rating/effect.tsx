import { useMemo } from 'preact/hooks';
import type { Asked } from '../../../data/requests/use-asked.ts';
import { localeOf } from '../../../data/times.ts';
import { language } from '../../../words/index.ts';
import { effectOf, type FormEntry } from './curve.ts';
import { say } from './words.ts';

const [WIDTH, HEIGHT, EDGE] = [640, 160, 6];

export type InputRecord = { readonly ms: number; readonly value: number };
type EffectProps = {
  readonly records: Asked<readonly InputRecord[]>;
  readonly saved: readonly FormEntry[];
  readonly typed: readonly FormEntry[];
};

/** Shows what the ratings as they are typed make of the last records of the input, beside what they are now. */
export function EffectView({ records: { value: records, error }, saved, typed }: EffectProps) {
  const texts = say();
  const effect = useMemo(() => records && effectOf(records, saved, typed), [records, saved, typed]);
  if (!records || !effect) return error === undefined ? null : <p class="soft">{texts.effectFailed}</p>;
  if (records.length === 0) return <p class="soft">{texts.effectNone}</p>;
  const { before, after, changed, most, without } = effect;
  const number = new Intl.NumberFormat(localeOf(language.value), { maximumSignificantDigits: 5 }).format;
  const values = [...before, ...after].filter((value) => value !== undefined);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [records[0]!.ms, records.at(-1)!.ms];
  const pathOf = (line: readonly (number | undefined)[]) =>
    line
      .map((value, i) => {
        if (value === undefined) return '';
        const x = EDGE + ((records[i]!.ms - first) / (last - first || 1)) * (WIDTH - 2 * EDGE);
        const y = high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE);
        return `${line[i - 1] === undefined ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join('');
  return (
    <div class="rating-effect">
      <p role="status">
        {changed === 0 ? texts.effectSame(records.length) : texts.effectChanged(changed, records.length, number(most))}{' '}
        {without > 0 && texts.effectWithout(without)}
      </p>
      {values.length > 1 && (
        <figure>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={texts.effectChart}>
            <path class="rating-before" d={pathOf(before)} />
            <path class="rating-after" d={pathOf(after)} />
          </svg>
          <figcaption class="soft">
            {number(low)} – {number(high)} · <span class="rating-key is-before" /> {texts.before} ·{' '}
            <span class="rating-key is-after" /> {texts.after}
          </figcaption>
        </figure>
      )}
    </div>
  );
}

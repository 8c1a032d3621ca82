import { useEffect, useId, useState } from 'preact/hooks';
import { nextTimes, type Schedule, WEEKDAYS } from '../../data/pages/reports.ts';
import { attributeOf } from '../../data/requests/failures.ts';
import { localeOf } from '../../data/times.ts';
import { isKnown, zoneOf } from '../../format/zone.ts';
import { scheduleText } from '../../parts/schedule-text.ts';
import { errorText, textAtField } from '../../words/error-text.ts';
import { language } from '../../words/index.ts';
import type { EditedReport } from './use-report.ts';
import { say } from './words.ts';

const REST_MS = 400;
const USUAL: Schedule = { enabled: true, type: 'DAILY', days: [], time: '06:00' };
const MONTH_DAYS = Array.from({ length: 31 }, (_one, i) => i + 1);

type Preview = { readonly times: readonly string[] } | { readonly path: string; readonly message: string } | undefined;

/** Says in plain words when the report is made by itself, with the next times in its own zone. */
export function ScheduleForm({ id, report }: { readonly id: string; readonly report: EditedReport }) {
  const text = say();
  const fieldId = useId();
  const { document, refusal, edit } = report;
  const schedule = document.schedule as Schedule | null;
  const timezone = String(document.timezone || 'Etc/UTC');
  const adjustForDst = document.timezoneAdjustForDst !== false;
  const [preview, setPreview] = useState<Preview>();
  const body = JSON.stringify({ schedule, timezone, timezoneAdjustForDst: adjustForDst });
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      nextTimes(id, JSON.parse(body), stop.signal).then(
        (times) => setPreview({ times }),
        (error: unknown) => {
          if (!stop.signal.aborted)
            setPreview({ path: attributeOf(error) ?? '', message: textAtField(errorText(error)) });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, body]);
  const problemAt = (path: string): string | undefined =>
    preview && 'path' in preview && preview.path.startsWith(path)
      ? preview.message
      : refusal?.path?.startsWith(path)
        ? textAtField(refusal.message)
        : undefined;
  const set = (changes: Partial<Schedule>) => edit({ schedule: { ...(schedule ?? USUAL), ...changes } }, 'schedule');
  const toggle = (day: string | number) => {
    const days = schedule?.days ?? [];
    const order: readonly (string | number)[] = schedule?.type === 'WEEKLY' ? WEEKDAYS : MONTH_DAYS;
    const next = days.includes(day) ? days.filter((other) => other !== day) : [...days, day];
    set({ days: order.filter((name) => next.includes(name)) });
  };
  const isOn = schedule?.enabled === true;
  return (
    <section class="editor-section report-schedule" aria-labelledby={`${fieldId}-title`}>
      <h2 id={`${fieldId}-title`}>{text.schedule}</h2>
      <label class="dash-switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <span>{text.scheduleSwitch}</span>
      </label>
      {schedule && (
        <div class="report-schedule-form">
          <fieldset>
            <legend>{text.howOften}</legend>
            <div class="report-choices">
              {(['DAILY', 'WEEKLY', 'MONTHLY'] as const).map((type) => (
                <label key={type} class="check">
                  <input
                    type="radio"
                    name={`${fieldId}-type`}
                    checked={schedule.type === type}
                    onChange={() => set({ type, days: type === 'WEEKLY' ? ['MON'] : type === 'MONTHLY' ? [1] : [] })}
                  />
                  <span>{text[type]}</span>
                </label>
              ))}
            </div>
          </fieldset>
          {schedule.type !== 'DAILY' && (
            <fieldset aria-describedby={`${fieldId}-days`}>
              <legend>{text.days}</legend>
              <div class={schedule.type === 'WEEKLY' ? 'report-days' : 'report-days is-month'}>
                {(schedule.type === 'WEEKLY' ? WEEKDAYS : MONTH_DAYS).map((day) => (
                  <label key={day}>
                    <input type="checkbox" checked={schedule.days.includes(day)} onChange={() => toggle(day)} />
                    <span>{typeof day === 'number' ? day : weekday(day)}</span>
                  </label>
                ))}
              </div>
              <p id={`${fieldId}-days`} class={problemAt('schedule.days') ? 'editor-problem' : 'editor-hint'}>
                {problemAt('schedule.days') ?? (schedule.type === 'MONTHLY' ? text.monthHint : '')}
              </p>
            </fieldset>
          )}
          <div class="report-when">
            <label>
              <span>{text.time}</span>
              <input
                type="time"
                value={schedule.time}
                aria-invalid={problemAt('schedule.time') !== undefined || undefined}
                aria-describedby={`${fieldId}-time`}
                onInput={(event) => set({ time: event.currentTarget.value })}
              />
              <span id={`${fieldId}-time`} class="editor-problem">
                {problemAt('schedule.time') ?? ''}
              </span>
            </label>
          </div>
        </div>
      )}
      <div class="report-when">
        <label for={`${fieldId}-zone`}>
          <span>{text.zone}</span>
          <input
            id={`${fieldId}-zone`}
            list={`${fieldId}-zones`}
            autocomplete="off"
            spellcheck={false}
            value={String(document.timezone)}
            aria-invalid={!isKnown(timezone) || undefined}
            aria-describedby={`${fieldId}-zone-hint`}
            onInput={(event) => edit({ timezone: event.currentTarget.value.trim() }, 'timezone')}
          />
          <span id={`${fieldId}-zone-hint`} class={isKnown(timezone) ? 'editor-hint' : 'editor-problem'}>
            {isKnown(timezone) ? (problemAt('timezone') ?? text.zoneHint) : text.zoneWrong}
          </span>
        </label>
        <datalist id={`${fieldId}-zones`}>
          {['Etc/UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <label class="check">
          <input
            type="checkbox"
            checked={adjustForDst}
            onChange={(event) => edit({ timezoneAdjustForDst: event.currentTarget.checked })}
          />
          <span>{text.dst}</span>
        </label>
      </div>
      <p class="report-sentence" role="status">
        {scheduleText(schedule, timezone, text)}
      </p>
      {isOn && preview && 'times' in preview && (
        <NextTimes times={preview.times} timezone={timezone} adjustForDst={adjustForDst} />
      )}
      {isOn && preview && 'path' in preview && (
        <p class="editor-problem" role="alert">
          {text.neverRuns}
        </p>
      )}
    </section>
  );
}

const weekday = (day: (typeof WEEKDAYS)[number]): string =>
  new Intl.DateTimeFormat(localeOf(language.value), { weekday: 'short', timeZone: 'UTC' }).format(
    // 1 January 2024 was a Monday.
    Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)),
  );

type NextTimesProps = {
  readonly times: readonly string[];
  readonly timezone: string;
  readonly adjustForDst: boolean;
};

const HOUR_MS = 3_600_000;

function NextTimes({ times, timezone, adjustForDst }: NextTimesProps) {
  const text = say();
  const zone = zoneOf(timezone, adjustForDst, new Date().getFullYear(), localeOf(language.value));
  const offset = (ms: number) => {
    const hours = zone.offsetMs(ms) / HOUR_MS;
    const whole = Math.trunc(Math.abs(hours));
    const minutes = Math.round((Math.abs(hours) - whole) * 60);
    return `UTC${hours < 0 ? '−' : '+'}${whole}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
  };
  const all = times.map((time) => Date.parse(time));
  return (
    <>
      <h3>{text.nextTimes}</h3>
      {all.length === 0 ? (
        <p class="editor-problem">{text.never}</p>
      ) : (
        <ol class="report-next">
          {all.map((ms, i) => (
            <li key={ms}>
              <time dateTime={new Date(ms).toISOString()}>
                {zone.format(ms, {
                  weekday: 'short',
                  year: 'numeric',
                  month: 'short',
                  day: 'numeric',
                  hour: '2-digit',
                  minute: '2-digit',
                  hourCycle: 'h23',
                })}
              </time>{' '}
              <span class="soft">{offset(ms)}</span>
              {i > 0 && zone.offsetMs(ms) !== zone.offsetMs(all[i - 1]!) && (
                <span class="soft"> · {text.clockChanges}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

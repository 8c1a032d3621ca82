import type { Profile } from '@catchment/contracts/people';
import { checkbox, type FormProblem, field, select } from '../views/fields.ts';
import { type Html, html } from '../views/html.ts';

export const PROFILE_FIELDS = ['firstName', 'lastName', 'phone', 'timezone', 'timeFormat'] as const;

const TIME_FORMATS = ['YYYY-MM-DD HH:mm:ss', 'DD/MM/YYYY HH:mm', 'DD.MM.YYYY HH:mm', 'MM/DD/YYYY hh:mm A'];

/** Zones by continent, for a readable list. */
const ZONES: ReadonlyMap<string, readonly { value: string; label: string }[]> = Map.groupBy(
  Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone.includes('/'))
    .map((zone) => ({ value: zone, label: zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ') })),
  ({ value }) => value.slice(0, value.indexOf('/')),
);
const LISTED = new Set([...ZONES.values()].flat().map(({ value }) => value));

export function profileFields(profile: Profile, problem: FormProblem | undefined): Html {
  const { firstName, lastName, phone, timezone, timezoneAdjustForDst, timeFormat } = profile;
  const first = [
    { value: '', label: 'As the account' },
    { value: 'Etc/UTC', label: 'UTC' },
  ];
  const isListed = LISTED.has(timezone) || first.some(({ value }) => value === timezone);
  const options = isListed ? first : [...first, { value: timezone, label: timezone }];
  return html`<div class="pair">
${field({ name: 'firstName', label: 'First name', value: firstName, autocomplete: 'given-name', maxLength: 60, problem })}
${field({ name: 'lastName', label: 'Last name', value: lastName, autocomplete: 'family-name', maxLength: 60, problem })}
</div>
${field({
  name: 'phone',
  label: 'Mobile phone (optional)',
  value: phone,
  type: 'tel',
  autocomplete: 'tel',
  maxLength: 30,
  hint: 'With the country code, for example +61 8 6555 0100. Used for SMS only.',
  problem,
})}
${select({ name: 'timezone', label: 'Time zone', value: timezone, options, groups: ZONES, problem })}
<div class="row">${checkbox('timezoneAdjustForDst', 'Daylight saving time: clocks change with the season', timezoneAdjustForDst)}</div>
${field({
  name: 'timeFormat',
  label: 'Time format',
  value: timeFormat,
  maxLength: 60,
  suggestions: TIME_FORMATS,
  hint: 'How times are written in messages to you, for example YYYY-MM-DD HH:mm:ss.',
  problem,
})}`;
}

/** Returns a profile as a form sends it. */
export const profileOfForm = (form: URLSearchParams): Profile => ({
  firstName: form.get('firstName') ?? '',
  lastName: form.get('lastName') ?? '',
  phone: form.get('phone') ?? '',
  timezone: form.get('timezone') ?? '',
  timezoneAdjustForDst: form.has('timezoneAdjustForDst'),
  timeFormat: form.get('timeFormat') ?? '',
});

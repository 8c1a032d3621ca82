import { account as deAccount } from './de/account.ts';
import { dash as deDash } from './de/dash.ts';
import { devices as deDevices } from './de/devices.ts';
import { files as deFiles } from './de/files.ts';
import { people as dePeople } from './de/people.ts';
import { station as deStation } from './de/station.ts';
import { templates as deTemplates } from './de/templates.ts';
import { de } from './de.ts';
import { account as enAccount } from './en/account.ts';
import { dash as enDash } from './en/dash.ts';
import { devices as enDevices } from './en/devices.ts';
import { files as enFiles } from './en/files.ts';
import { people as enPeople } from './en/people.ts';
import { station as enStation } from './en/station.ts';
import { templates as enTemplates } from './en/templates.ts';
import { en } from './en.ts';

/** Lists every text by its place; sentences that take something are made with it. */
function texts(of: object, place = ''): [string, string][] {
  return Object.entries(of).flatMap(([key, value]): [string, string][] => {
    const at = `${place}.${key}`;
    if (typeof value === 'string') return [[at, value]];
    if (typeof value === 'function') return [[at, String(value(3, 2, 1))]];
    return value !== null && typeof value === 'object' ? texts(value, at) : [];
  });
}

test('German says all that English says: no word is missing, and none is left empty in one of them alone', () => {
  const [english, german] = [
    new Map(
      texts({
        ...en,
        account: enAccount,
        dash: enDash,
        devices: enDevices,
        files: enFiles,
        people: enPeople,
        station: enStation,
        templates: enTemplates,
      }),
    ),
    new Map(
      texts({
        ...de,
        account: deAccount,
        dash: deDash,
        devices: deDevices,
        files: deFiles,
        people: dePeople,
        station: deStation,
        templates: deTemplates,
      }),
    ),
  ];
  // German has more where English makes its words of the names of the API.
  expect([...english.keys()].filter((place) => !german.has(place))).toEqual([]);
  for (const [place, text] of english) expect([place, german.get(place) === '']).toEqual([place, text === '']);
});

import type { Locator, Page } from 'playwright-core';
import { type Api, MODEL } from '../api.ts';
import type { Stage } from './stage.ts';

type Scene = Pick<Stage, 'installation' | 'person' | 'sites'>;

/** Goes through «Add a station» like a newcomer, and counts the steps. */
export class Newcomer {
  readonly page: Page;
  clicks = 0;
  fields = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator): Promise<void> {
    await what.click();
    this.clicks += 1;
  }

  async type(what: Locator, text: string): Promise<void> {
    await what.fill(text);
    this.fields += 1;
  }

  /** The dialog of the browser counts as one click more. */
  async choose(button: Locator, file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.click(button)]);
    await chooser.setFiles(file);
    this.clicks += 1;
  }
}

type WizardWords = Readonly<
  Record<'title' | 'name' | 'next' | 'hand' | 'choose' | 'make' | 'arrived' | 'mapLabel' | 'all' | 'add', string>
>;
export const ENGLISH: WizardWords = {
  title: 'Add a station',
  name: 'Name of the station',
  next: 'Next',
  hand: 'A file from my computer',
  choose: 'Choose a file',
  make: 'Make the station',
  arrived: 'The first data have arrived',
  mapLabel: 'Map: click where the station is',
  all: 'lines were read',
  add: 'Add a station',
};
export const GERMAN: WizardWords = {
  title: 'Station anlegen',
  name: 'Name der Station',
  next: 'Weiter',
  hand: 'Eine Datei von meinem Rechner',
  choose: 'Datei wählen',
  make: 'Station anlegen',
  arrived: 'Die ersten Daten sind da',
  mapLabel: 'Karte: klicken Sie auf den Ort der Station',
  all: 'Zeilen wurden gelesen',
  add: 'Station anlegen',
};

export const text = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(`${lines.join('\n')}\n`),
});

/** Opens the first step in the Workspace of the stage. */
export async function openWizard({ installation, person, sites }: Scene, page: Page): Promise<void> {
  await page.goto(`${installation.url}/a/${person.slug}/station/place?in=${sites.workspaceId}`);
  await page.getByText('Maryland rivers').last().waitFor();
}

/** Goes from the first step to that of the file, and takes a file. */
export async function toFile(
  stage: Scene,
  page: Page,
  name: string,
  file: Parameters<Newcomer['choose']>[1],
): Promise<void> {
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill(name);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^A file from my computer/ }).click();
  await new Newcomer(page).choose(page.getByRole('button', { name: 'Choose a file' }), file);
}

/** Drops a file as from a window beside the browser. */
export async function drop(page: Page, name: string, lines: readonly string[]): Promise<void> {
  const given = { name, content: `${lines.join('\n')}\n` };
  const dataTransfer = await page.evaluateHandle(`(() => {
    const { name, content } = ${JSON.stringify(given)};
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], name, { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.dispatchEvent('.station-drop', 'drop', { dataTransfer });
}

export async function makeStation(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByRole('heading', { name: 'The first data have arrived' }).waitFor();
}

type Parameter = { readonly name: string; readonly units?: string; readonly series: string };
type MadeStation = {
  readonly place: { readonly _id: string; readonly currentValue?: readonly number[]; readonly parentId: string };
  readonly source: { readonly _id: string; readonly name: string; readonly timezone: string };
  readonly parameters: readonly Parameter[];
  readonly records: (series: string) => Promise<readonly (readonly [string, unknown])[]>;
};

/** Returns what the API has of a station that was made. */
export async function stationOf(api: Api, name: string): Promise<MadeStation> {
  const filter = (attribute: string, value: string) => `${attribute}($eq:${encodeURIComponent(value)})`;
  const [place] = (await api.get(`/nodes?filter=${filter('name', name)},_class($eq:${MODEL}.location.Location)`)).json;
  const [source] = (await api.get(`/nodes?filter=${filter('parentId', place._id)}`)).json;
  const parameters = (
    await api.get(`/nodes?filter=${filter('parentId', source._id)}&attr=_id,name,units,series&sort=name`)
  ).json;
  const records = async (series: string) => {
    const { _id } = parameters.find((parameter: { series: string }) => parameter.series === series);
    const read = async () =>
      (await api.get(`/nodes/${_id}/historic?limit=1000&header=FALSE`)).json.data as {
        ts: string;
        f: Record<string, { v: unknown }>;
      }[];
    return (await read()).map(({ ts, f }) => [ts, f['0']?.v] as const);
  };
  return { place, source, parameters, records };
}

/** Waits until nothing is asked for: what was typed is asked for from the frame after it on. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await page.locator('.station-columns[aria-busy="false"]').waitFor();
}

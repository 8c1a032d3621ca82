import { randomBytes } from 'node:crypto';
import { newDeviceNumber } from '@catchment/ids';
import { ApiClient } from '../api/api-client.ts';
import type { FirstSteps, FirstStepsTaken } from './helper.ts';
import { progressLine } from './progress-line.ts';
import { type InstallationState, openState, saveState } from './state.ts';
import { untilRoom } from './until-room.ts';
import { OWNER_EMAIL } from './welcome.ts';

type Scope = FirstSteps & {
  readonly state: InstallationState;
  readonly say: (line: string) => void;
  save(): Promise<void>;
};

/** Makes the first account and loads the demonstration, where they are not there yet. */
export async function takeFirstSteps(steps: FirstSteps): Promise<FirstStepsTaken> {
  const { dataDir, url } = steps;
  const say = progressLine(steps.beganMs, steps.json);
  const state = await openState(dataDir);
  const save = () => untilRoom(() => saveState(dataDir, state), { say, signal: new AbortController().signal });
  const scope = { ...steps, state, say, save };
  const activateUrl = await firstAccount(scope);
  if (steps.demo && !state.restored) await demonstration(scope);
  const { administrationKey } = state;
  const { shownPages } = await import('../demonstration/shown-pages.ts');
  const shown = administrationKey ? await shownPages(new ApiClient(url, administrationKey)) : [];
  return { ...(activateUrl !== undefined && { activateUrl }), shown };
}

/** @returns where its owner sets a password, when it has just been made */
async function firstAccount({ state, nodesAddress, save, say }: Scope): Promise<string | undefined> {
  if (state.administrationKey || state.restored) return undefined;
  // The module is loaded where it is needed: not at a second start.
  const { createAccount } = await import('../account/create-account.ts');
  const { serviceTokenSecret } = state;
  const { administrationKey, ownerActivateUrl } = await createAccount(
    { nodesAddress, serviceTokenSecret },
    {
      accountName: 'Demonstration',
      email: OWNER_EMAIL,
      firstName: 'Demo',
      lastName: 'Owner',
      accountType: 'STANDARD',
    },
  );
  state.administrationKey = administrationKey;
  await save();
  say('First account created');
  return ownerActivateUrl;
}

async function demonstration({ state, url, namespace, save, say }: Scope): Promise<void> {
  if (state.demonstrationLoaded) return;
  state.modem ??= { deviceKey: newDeviceNumber(), secret: randomBytes(18).toString('base64url') };
  await save();
  const { loadDemonstration } = await import('../demonstration/load-demonstration.ts');
  const api = new ApiClient(url, state.administrationKey ?? '');
  await loadDemonstration({ api, namespace }, state.modem, say);
  state.demonstrationLoaded = true;
  await save();
}

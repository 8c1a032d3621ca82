import type { ApiClient } from '../api/api-client.ts';
import { documentOf, readingAt, seedOf } from '../simulate/station/readings.ts';
import { jtsDocument } from './jts.ts';
import { MODEM_INTERVAL_SECONDS } from './modem.ts';
import { PAGES } from './pages.ts';
import { APPROVED, type ParameterPlan, type QualityCodePlan, SITES, type SitePlan, TANK_PARAMETERS } from './sites.ts';

/** The API advises this for one request (docs/reference/reading.md#too-large-or-too-slow). */
const ROWS_PER_REQUEST = 1_000;

/** Readings of six hours: its tank is drawn and filled once. */
const TANK_READINGS = (6 * 3_600) / MODEM_INTERVAL_SECONDS;

/** The demonstration goes here. @param namespace prefix of the installation's classes */
export type Destination = { readonly api: ApiClient; readonly namespace: string };

type ModemPlan = { readonly deviceKey: string; readonly secret: string };

/**
 * Loads the demonstration through the public API. Nodes of an interrupted run are found again by their
 * customIds, and records are overwritten by the same records, so it may be repeated.
 */
export async function loadDemonstration(to: Destination, modem: ModemPlan, say: (line: string) => void): Promise<void> {
  await ensureQualityCode(to.api, APPROVED);
  // Both go side by side: one at a time, most of the time goes by with waiting for an answer.
  await Promise.all([...SITES.map((site) => loadSite(to, site, say)), setUpModem(to, modem, say)]);
  for (const pages of PAGES) await Promise.all(pages.map((page) => ensureNode(to, page)));
  say(
    `Dashboards, charts and a report: ${PAGES.flat()
      .map(({ name }) => name)
      .join(', ')}`,
  );
}

/** A code that is not in the account's table counts as UNCERTAIN, and is in no aggregate. */
async function ensureQualityCode(api: ApiClient, code: QualityCodePlan): Promise<void> {
  const { codes } = (await api.send('GET', '/owners/account/quality')) as { codes: QualityCodePlan[] };
  if (codes.some((known) => known.code === code.code)) return;
  await api.send('PUT', '/owners/account/quality', { codes: [...codes, code] });
}

async function loadSite(to: Destination, site: SitePlan, say: (line: string) => void): Promise<void> {
  const { api } = to;
  await ensureNode(to, { _class: 'Workspace', ...site.workspace });
  const { coordinates, ...location } = site.location;
  await ensureNode(to, { _class: 'location.Location', ...location, parentId: `@${site.workspace.customId}` });
  await api.send('PUT', `/nodes/@${location.customId}/historic/now`, { value: coordinates });
  await ensureNode(to, {
    _class: 'source.data.TextParser',
    ...site.source,
    parentId: `@${location.customId}`,
  });
  await Promise.all(site.parameters.map((parameter) => ensureParameter(to, parameter, site.source.customId)));

  // Records are written one after another: the states of alarms follow their order.
  const rows = site.rows();
  for (let from = 0; from < rows.length; from += ROWS_PER_REQUEST) {
    const part = rows.slice(from, from + ROWS_PER_REQUEST);
    await api.send(
      'PUT',
      `/nodes/@${site.source.customId}/historic?notifyOn=ALL_NEWER`,
      jtsDocument(site.parameters, part, site.quality),
    );
  }
  const computed = (site.computed ?? []).map(({ code, ...node }) => ({
    _class: 'point.NumberProcessPoint',
    ...node,
    process: { code },
    parentId: `@${site.source.customId}`,
  }));
  await Promise.all(computed.map((node) => ensureNode(to, node)));
  say(
    `${site.location.name}: ${rows.length * site.parameters.length} readings of ${site.parameters.length} parameters`,
  );
}

async function ensureParameter(to: Destination, plan: ParameterPlan, sourceCustomId: string): Promise<void> {
  await ensureNode(to, { _class: 'point.NumberPoint', ...plan, parentId: `@${sourceCustomId}` });
}

/** Makes a tank farm whose level comes by a modem: the device, and a source that names it. */
async function setUpModem(
  to: Destination,
  { deviceKey, secret }: ModemPlan,
  say: (line: string) => void,
): Promise<void> {
  const { api, namespace } = to;
  await ensureNode(to, { _class: 'Workspace', customId: 'harbour', name: 'Harbour' });
  await ensureNode(to, {
    _class: 'location.Location',
    customId: 'tank-farm',
    name: 'Tank farm',
    parentId: '@harbour',
  });
  const devices = (await api.send('GET', '/devices?attr=deviceKey')) as { deviceKey: string }[];
  if (!devices.some((device) => device.deviceKey === deviceKey)) {
    await api.send('POST', '/devices', {
      _class: `${namespace}.models.device.ScoutDevice`,
      deviceKey,
      secret,
      workspaceId: '@harbour',
    });
  }
  await ensureNode(to, {
    _class: 'source.data.Jts',
    customId: 'tank-modem',
    name: 'Tank modem',
    parentId: '@tank-farm',
    scheduleType: 'SERVER',
    transport: { _class: `${namespace}.models.node.transport.Scout`, deviceId: deviceKey },
  });
  await Promise.all(TANK_PARAMETERS.map((parameter) => ensureParameter(to, parameter, 'tank-modem')));
  // The modem has reported these until now, so that its dashboard has something to show at once.
  const nowMs = Date.now();
  const readings = Array.from({ length: TANK_READINGS }, (_, n) =>
    readingAt(nowMs - (TANK_READINGS - n) * MODEM_INTERVAL_SECONDS * 1_000, seedOf(deviceKey)),
  );
  for (let from = 0; from < readings.length; from += ROWS_PER_REQUEST) {
    const part = documentOf(readings.slice(from, from + ROWS_PER_REQUEST));
    await api.send('PUT', '/nodes/@tank-modem/historic?notifyOn=ALL_NEWER', part);
  }
  say('Simulated modem registered');
}

/** @param node its class without prefix */
async function ensureNode(
  { api, namespace }: Destination,
  { _class, ...node }: { _class: string; customId: string; [attribute: string]: unknown },
): Promise<void> {
  if (await api.find(`/nodes/@${node.customId}?attr=_id`)) return;
  await api.send('POST', '/nodes', { _class: `${namespace}.models.node.${_class}`, ...node });
}

import type { ApiClient } from '../api/api-client.ts';
import { jtsDocument } from './jts.ts';
import { APPROVED, type ParameterPlan, type QualityCodePlan, SITES, type SitePlan } from './sites.ts';

const MODEL = 'io.svc.models.node';
/** The API's advice for one request (semantics 6.9). */
const ROWS_PER_REQUEST = 1_000;

export type ModemPlan = { readonly deviceKey: string; readonly secret: string };

/**
 * Loads the demonstration through the public API. What a run that was interrupted left behind is found again by its
 * customIds, and records are overwritten by the same records, so it may be repeated.
 */
export async function loadDemonstration(api: ApiClient, modem: ModemPlan, say: (line: string) => void): Promise<void> {
  await ensureQualityCode(api, APPROVED);
  for (const site of SITES) await loadSite(api, site, say);
  await setUpModem(api, modem);
  say('Simulated modem registered');
}

/** What is not in the account's table counts as UNCERTAIN, and is in no aggregate. */
async function ensureQualityCode(api: ApiClient, code: QualityCodePlan): Promise<void> {
  const { codes } = (await api.send('GET', '/owners/account/quality')) as { codes: QualityCodePlan[] };
  if (codes.some((known) => known.code === code.code)) return;
  await api.send('PUT', '/owners/account/quality', { codes: [...codes, code] });
}

async function loadSite(api: ApiClient, site: SitePlan, say: (line: string) => void): Promise<void> {
  await ensureNode(api, { _class: `${MODEL}.Workspace`, ...site.workspace });
  const { coordinates, ...location } = site.location;
  await ensureNode(api, { _class: `${MODEL}.location.Location`, ...location, parentId: `@${site.workspace.customId}` });
  await api.send('PUT', `/nodes/@${location.customId}/historic/now`, { value: coordinates });
  await ensureNode(api, {
    _class: `${MODEL}.source.data.TextParser`,
    ...site.source,
    parentId: `@${location.customId}`,
  });
  for (const parameter of site.parameters) await ensureParameter(api, parameter, site.source.customId);

  const rows = site.rows();
  for (let from = 0; from < rows.length; from += ROWS_PER_REQUEST) {
    const part = rows.slice(from, from + ROWS_PER_REQUEST);
    await api.send(
      'PUT',
      `/nodes/@${site.source.customId}/historic?notifyOn=ALL_NEWER`,
      jtsDocument(site.parameters, part, site.quality),
    );
  }
  say(
    `${site.location.name}: ${rows.length * site.parameters.length} readings of ${site.parameters.length} parameters`,
  );
}

async function ensureParameter(api: ApiClient, plan: ParameterPlan, sourceCustomId: string): Promise<void> {
  await ensureNode(api, { _class: `${MODEL}.point.NumberPoint`, ...plan, parentId: `@${sourceCustomId}` });
}

/** A tank farm whose level comes by a modem: the device, and a source that names it. */
async function setUpModem(api: ApiClient, { deviceKey, secret }: ModemPlan): Promise<void> {
  await ensureNode(api, { _class: `${MODEL}.Workspace`, customId: 'harbour', name: 'Harbour' });
  await ensureNode(api, {
    _class: `${MODEL}.location.Location`,
    customId: 'tank-farm',
    name: 'Tank farm',
    parentId: '@harbour',
  });
  const devices = (await api.send('GET', '/devices?attr=deviceKey')) as { deviceKey: string }[];
  if (!devices.some((device) => device.deviceKey === deviceKey)) {
    await api.send('POST', '/devices', {
      _class: 'io.svc.models.device.ScoutDevice',
      deviceKey,
      secret,
      workspaceId: '@harbour',
    });
  }
  await ensureNode(api, {
    _class: `${MODEL}.source.data.Jts`,
    customId: 'tank-modem',
    name: 'Tank modem',
    parentId: '@tank-farm',
    scheduleType: 'SERVER',
    transport: { _class: `${MODEL}.transport.Scout`, deviceId: deviceKey },
  });
}

async function ensureNode(api: ApiClient, node: { customId: string; [attribute: string]: unknown }): Promise<void> {
  if (!(await api.find(`/nodes/@${node.customId}?attr=_id`))) await api.send('POST', '/nodes', node);
}

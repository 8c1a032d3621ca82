import { join } from 'node:path';
import { type EnvReader, readClassNamespace, requestMaxSeconds, WEB, webAddresses } from '@catchment/config';
import { readMailSettings } from '@catchment/mail';
import { databaseConnections } from '@catchment/pg';
import { serviceConfig } from '@catchment/service';
import { readSmsSettings } from './sending/index.ts';
import { refreshStale } from './shown/index.ts';

/** Reads what nodes uses, and its settings (README, «Environment»). */
export const config = serviceConfig({
  name: 'nodes',
  uses: {
    peers: ['historic'],
    // Scheduled reports fail without render; a diagnosis lacks what devices and events know.
    optionalPeers: ['render', 'devices', 'events'],
    bus: {},
    database: {
      migrations: join(import.meta.dirname, '../migrations'),
      // The relay listens.
      connections: (read) => databaseConnections(read, { held: 1, usual: 16 }),
      outbox: true,
      // Filters and sort need the columns of all nodes after an upgrade. Pods of the release before serve meanwhile.
      prepare: refreshStale,
    },
  },
  settings: (read) => ({
    /** This address reports the limit of NATS' storage, which its clients do not learn. */
    natsMonitorUrl: read.optionalUrl('NATS_MONITOR_URL', WEB),
    classNamespace: readClassNamespace(read),
    /** The render service gives a report so long. */
    requestMaxMs: requestMaxSeconds(read) * 1_000,
    ...linkAddresses(read),
    /** undefined = no mail is sent. */
    mail: readMailSettings(read),
    /** undefined = no SMS is sent. */
    sms: readSmsSettings(read),
    /** These people see the pages of the operator of the installation; without the list nobody does. */
    operators: new Set(read.parsedList('OPERATORS', emails, 'must be e-mail addresses with commas between them')),
    sessionIdleMs: read.int('SESSION_IDLE_MINUTES', { min: 5, max: 50_000, fallback: 720 }) * 60_000,
    sessionMaxMs: read.int('SESSION_MAX_MINUTES', { min: 5, max: 50_000, fallback: 10_080 }) * 60_000,
    acquisitionEventMs: read.int('ACQUISITION_EVENT_SECONDS', { min: 0, max: 86_400, fallback: 60 }) * 1_000,
  }),
});

const LOCAL = 'http://127.0.0.1:8080';

function linkAddresses(read: EnvReader) {
  const { appUrl = LOCAL, baseUrl = LOCAL } = webAddresses(read);
  return {
    /** People open pages here: links in answers and mails begin with it. */
    appUrl,
    /** Links to files begin with this address. */
    baseUrl: baseUrl.replace(/\/+$/, ''),
  };
}

const EMAIL = /^[^\s@,]{1,64}@[^\s@,]{1,255}$/;
const MAX_OPERATORS = 100;

/** People are known by their e-mail in lower case. */
const emails = (items: readonly string[]): readonly string[] | undefined =>
  items.length <= MAX_OPERATORS && items.every((item) => EMAIL.test(item))
    ? items.map((item) => item.toLowerCase())
    : undefined;

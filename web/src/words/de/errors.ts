import type { Words } from '../en.ts';

export const errors: Words['errors'] = {
  kinds: {
    argument: '',
    authentication: 'Sie sind abgemeldet.',
    permission: 'Das dürfen Sie nicht.',
    not_found: 'Das gibt es nicht mehr, oder Sie dürfen es nicht sehen.',
    too_large: 'Das war zu viel auf einmal. Verlangen Sie weniger.',
    rate_limited: 'Zu viele Anfragen. Warten Sie einen Moment.',
    unavailable: 'Catchment ist gerade nicht erreichbar. Versuchen Sie es noch einmal.',
    server: 'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es noch einmal.',
    transport: 'Es gibt keine Verbindung zum Server.',
    unexpected: 'Etwas anderes als Catchment hat geantwortet.',
    unsupported: 'Der Server ist älter als diese Seite. Laden Sie die Seite neu.',
    partial_write: 'Nur ein Teil wurde gespeichert.',
  },
  reasons: {
    SIGN_IN_FAILED: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    TOO_MANY_ATTEMPTS: 'Zu viele Versuche. Warten Sie einige Minuten.',
    TOO_MANY_REQUESTS: 'Zu viele Anfragen. Warten Sie einen Moment.',
    ACCOUNT_DISABLED: 'Dieses Konto ist gesperrt.',
    NOT_PERMITTED: 'Das dürfen Sie nicht.',
    MODIFY_NEEDED: 'Sie dürfen das ansehen, aber nicht ändern.',
    ACCOUNT_LEVEL_NEEDED: 'Das dürfen nur Administratoren.',
    NOT_FOUND: 'Das gibt es nicht mehr, oder Sie dürfen es nicht sehen.',
    REVISION_CHANGED: 'Jemand anderes hat es inzwischen geändert.',
    STOPPING: 'Catchment startet gerade neu. Versuchen Sie es gleich noch einmal.',
  },
  request: (id) => `Anfrage ${id}`,
};

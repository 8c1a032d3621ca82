import type { templates as english } from '../en/templates.ts';
import { counted } from '../plural.ts';

const n = counted('de');

export const templates: typeof english = {
  title: 'Vorlagen',
  lead: 'Eine Vorlage wird einmal gebaut und oft verwendet. Ihre Instanzen folgen ihr, außer in dem, was sie ihnen selbst überlässt.',
  loading: 'Die Vorlagen werden gelesen …',
  failed: 'Die Vorlagen konnten nicht gelesen werden.',
  cut: (most) => `Nur die ersten ${n(most, { other: '#' })} Instanzen aller Vorlagen werden gezeigt.`,
  none: 'Hier ist noch keine Vorlage',
  noneText: 'Legen Sie eine an, bauen Sie darin, was eine Station hat, und legen Sie für jede Station eine Instanz an.',
  noneSeen: 'Es ist keine Vorlage zu sehen. Wer alle Workspaces des Kontos sieht, sieht auch seine Vorlagen.',
  make: 'Neue Vorlage',
  makeTitle: 'Neue Vorlage',
  kind: 'Was sie ist',
  kinds: { Location: 'Ein Ort', Group: 'Ein Ordner mit Orten' },
  name: 'Name',
  nameMissing: 'Geben Sie ihr einen Namen.',
  made: (name) => `Die Vorlage ${name} ist angelegt. Bauen Sie darin, was eine Station hat.`,
  nodes: (count) => n(count, { one: '# Knoten', other: '# Knoten' }),
  instances: (count) => n(count, { zero: 'noch keine Instanz', one: '# Instanz', other: '# Instanzen' }),
  open: 'Bauen',
  all: 'Alle Vorlagen',
  gone: 'Diese Vorlage gibt es nicht mehr, oder Sie dürfen sie nicht sehen.',
  instancesTitle: 'Instanzen',
  noInstances: 'Hier ist noch keine Instanz',
  noInstancesText:
    'Eine Instanz ist eine Kopie, die der Vorlage folgt. Sie liegt in einem Workspace oder in einem Ordner außerhalb von Orten.',
  makeInstance: 'Instanz anlegen',
  instanceTitle: (template) => `Instanz von ${template} anlegen`,
  where: 'Wo',
  whereHint: 'Workspace oder Ordner …',
  chosen: 'Gewählt',
  another: 'Etwas anderes wählen',
  whereMissing: 'Wählen Sie einen Ort.',
  instanceMade: (name) => `Die Instanz ${name} ist angelegt.`,
  columns: { name: 'Instanz', place: 'Liegt in' },
  may: 'Was Instanzen selbst haben dürfen',
  mayNothing:
    'Nichts: Jede Eigenschaft folgt der Vorlage. Ein Knoten der Vorlage nennt in seinen Einstellungen, was abweichen darf.',
  ownTitle: (instance) => `Was ${instance} selbst hat`,
  ownLoading: 'Sie wird mit ihrer Vorlage verglichen …',
  ownFailed: 'Sie konnte nicht mit ihrer Vorlage verglichen werden.',
  ownNone: 'Nichts: Sie ist wie ihre Vorlage.',
  node: 'Knoten',
  attribute: 'Eigenschaft',
  ofTemplate: 'Vorlage',
  ofInstance: 'Hier',
  giveBack: 'An die Vorlage zurückgeben',
  giveBackOf: (attribute, node) => `An die Vorlage zurückgeben: ${attribute} von ${node}`,
  gaveBack: (attribute) => `${attribute} folgt wieder der Vorlage.`,
  changedMeanwhile: 'Jemand anders hat diesen Knoten inzwischen geändert. Gezeigt wird, was jetzt da ist.',
  toNode: 'Zur Instanz',
  unlink: 'Lösen',
  unlinkTitle: (name) => `${name} von der Vorlage lösen?`,
  unlinkText:
    'Sie wird zu gewöhnlichen Knoten, mit ihren Einstellungen, Daten und Ereignissen, und folgt der Vorlage nicht mehr. Sie lässt sich nicht wieder verbinden.',
  unlinked: (name) => `${name} folgt der Vorlage nicht mehr.`,
  readOnly: 'Sie dürfen sich das ansehen. Wer einen Workspace einrichten darf, kann dort Instanzen anlegen.',
  reach: {
    title: 'Was das in den Instanzen ändert',
    loading: 'Es wird nachgesehen, was das in den Instanzen ändert …',
    failed: 'Was das in den Instanzen ändert, konnte nicht nachgesehen werden.',
    none: 'Keine Instanz folgt diesem Knoten: Sonst ändert sich nichts.',
    of: (count, isMore) =>
      n(count, { one: '# Knoten folgt diesem', other: '# Knoten folgen diesem' }) + (isMore ? ', und weitere.' : '.'),
    follows: (changed) =>
      n(changed, { zero: 'kein Knoten ändert sich', one: '# Knoten ändert sich', other: '# Knoten ändern sich' }),
    kept: (kept) =>
      n(kept, {
        zero: 'jeder behält seines; keiner weicht ab',
        one: 'jeder behält seines; # weicht ab',
        other: 'jeder behält seines; # weichen ab',
      }),
    reset: (changed) =>
      n(changed, {
        zero: 'keiner hat ein eigenes',
        one: '# Knoten verliert sein eigenes',
        other: '# Knoten verlieren ihr eigenes',
      }),
    opened: 'darf von jetzt an abweichen; dadurch ändert sich nichts',
  },
};

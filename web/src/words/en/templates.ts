import { counted } from '../plural.ts';

const n = counted('en');

/** The page «Templates», and what a change of one reaches, load these words themselves. */
export const templates = {
  title: 'Templates',
  lead: 'A template is built once and used many times. Its instances follow it, but for what it lets them have of their own.',
  loading: 'The templates are being read …',
  failed: 'The templates could not be read.',
  cut: (most: number) => `Only the first ${n(most, { other: '#' })} instances of all templates are shown.`,
  none: 'No template is here yet',
  noneText: 'Make one, build in it what a station has, and make an instance for each station.',
  noneSeen: 'You see no template. People who see all Workspaces of the account see its templates too.',
  make: 'New template',
  makeTitle: 'New template',
  kind: 'What it is',
  kinds: { Location: 'A place', Group: 'A folder with places' },
  name: 'Name',
  nameMissing: 'Give it a name.',
  made: (name: string) => `The template ${name} is made. Build in it what a station has.`,
  nodes: (count: number) => n(count, { one: '# node', other: '# nodes' }),
  instances: (count: number) => n(count, { zero: 'no instance yet', one: '# instance', other: '# instances' }),
  open: 'Build it',
  all: 'All templates',
  gone: 'This template is not there any more, or you may not see it.',
  instancesTitle: 'Instances',
  noInstances: 'No instance is here yet',
  noInstancesText:
    'An instance is a copy that follows the template. It lies in a Workspace, or in a folder outside of places.',
  makeInstance: 'Make an instance',
  instanceTitle: (template: string) => `Make an instance of ${template}`,
  where: 'Where',
  whereHint: 'Workspace or folder …',
  chosen: 'Chosen',
  another: 'Choose another one',
  whereMissing: 'Choose a place.',
  instanceMade: (name: string) => `The instance ${name} is made.`,
  columns: { name: 'Instance', place: 'Lies in' },
  may: 'What instances may have of their own',
  mayNothing:
    'Nothing: each attribute follows the template. A node of the template lists in its settings, under «Overrides», what may differ.',
  ownTitle: (instance: string) => `What ${instance} has of its own`,
  ownLoading: 'It is compared with its template …',
  ownFailed: 'It could not be compared with its template.',
  ownNone: 'Nothing: it is as its template is.',
  node: 'Node',
  attribute: 'Attribute',
  ofTemplate: 'Template',
  ofInstance: 'Here',
  giveBack: 'Give back to the template',
  giveBackOf: (attribute: string, node: string) => `Give back to the template: ${attribute} of ${node}`,
  gaveBack: (attribute: string) => `${attribute} is the template’s again.`,
  changedMeanwhile: 'Somebody else has changed this node meanwhile. The page shows the newest state.',
  toNode: 'To the instance',
  unlink: 'Unlink',
  unlinkTitle: (name: string) => `Unlink ${name} from its template?`,
  unlinkText:
    'It becomes ordinary nodes, with their settings, data and events, and does not follow the template any more. It cannot be linked again.',
  unlinked: (name: string) => `${name} does not follow the template any more.`,
  readOnly: 'You may look at this. People who may configure a Workspace can make instances there.',
  reach: {
    title: 'What this changes in the instances',
    loading: 'What this changes in the instances is being looked at …',
    failed: 'What this changes in the instances could not be looked at.',
    none: 'No instance follows this node: nothing else is changed.',
    of: (count: number, isMore: boolean) =>
      n(count, { one: '# node follows this one', other: '# nodes follow this one' }) + (isMore ? ', and more.' : '.'),
    follows: (changed: number) =>
      n(changed, { zero: 'no node changes', one: '# node changes', other: '# nodes change' }),
    kept: (kept: number) =>
      n(kept, {
        zero: 'each keeps its own; none differs',
        one: 'each keeps its own; # differs',
        other: 'each keeps its own; # differ',
      }),
    reset: (changed: number) =>
      n(changed, { zero: 'none has one of its own', one: '# node loses its own', other: '# nodes lose their own' }),
    opened: 'may be their own from now on; nothing changes by that',
  },
};

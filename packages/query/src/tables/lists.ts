import { choice, flag, text, whole } from '../argument.ts';

/** Largest page (docs/reference/limits.md). */
export const LIST_MAX = 50_000;
const SKIP_MAX = 0xffff_ffff;

export const ATTR = {
  attr: text({
    about: 'Comma-separated attribute names, dotted to reach inside objects. Default: all.',
    example: '_id,name',
  }),
};

/** Arguments of every list; `attr`, `filter` and `sort` have grammars of their own. */
export const LIST = {
  ...ATTR,
  filter: text({
    about:
      'Criteria `attribute($operator:value)`, joined by `,` (and) and `|` (or). Operators: `$eq $ne $gt $gte $lt $lte $match $like`. Where an attribute holds the id of a node, the value may be `@customId` too.',
    example: 'name($match:Batt),isActive($eq:true)',
  }),
  sort: text({
    about: 'Comma-separated attributes, each with an optional direction.',
    example: 'createdTime(DESC)',
  }),
  skip: whole({ about: 'Leaves out the first n.' }, { min: 0, max: SKIP_MAX, absent: 0 }),
};

/** A stream of server-sent events has these arguments (docs/reference/events.md#streams). */
export const STREAM = {
  ...ATTR,
  filter: LIST.filter,
  lastEventId: text({
    about: 'As the header `Last-Event-ID`, which counts where both are given: for clients that cannot set it.',
    example: '4711',
  }),
};

/** LIST_MAX bounds the pages of a list, and is the default as well. */
export const PAGED_LIST = {
  ...LIST,
  limit: whole({ about: 'At most this many.' }, { min: 0, max: LIST_MAX, default: LIST_MAX }),
};

const LINKS = {
  expiry: whole(
    { about: 'Minutes that links in the answer stay valid; 0 = for ever.' },
    { min: 0, max: 525_600, absent: 0 },
  ),
};

const typeOf = (about: string) => choice({ about }, ['LIST', 'TREE'], { absent: 'LIST' });

export const NODE_LIST = {
  ...PAGED_LIST,
  type: typeOf('Flat, or nested under `children` (fewer than 5000 nodes).'),
  ...LINKS,
};
export const NODE_READ = { ...ATTR, ...LINKS };
/** Longest `next` of a page. */
const PLACE_MAX = 2_000;
const after = text({ about: 'Goes on after a page: its `next`.' }, { max: PLACE_MAX });
/** A search has this many characters, and this many words are looked for. */
export const SEARCH_MAX = { characters: 200, words: 10 } as const;

/** `GET /nodes/search` (docs/reference/node-tree.md#search). */
export const NODE_SEARCH = {
  q: text(
    {
      about: 'Words, each of which must be found in the name, path, customId or metadata. Needed.',
      example: 'dead gage',
    },
    { max: SEARCH_MAX.characters },
  ),
  class: text(
    { about: 'Of classes alone whose name contains this, letter case aside. Default: all.', example: '.point.' },
    { max: 100 },
  ),
  workspaceId: text({ about: 'In this Workspace alone: its `_id`, or `@` and the customId.' }),
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 50, absent: 20 }),
  after,
};
/** `GET /nodes/children` (docs/reference/node-tree.md#children). */
export const NODE_CHILDREN = {
  parentId: text({ about: 'Directly under this node: its `_id`, or `@` and the customId. Default: the Workspaces.' }),
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 1_000, absent: 100 }),
  after,
};
export const RATING_READ = { format: choice({ about: 'Form of the answer.' }, ['CSV'], { absent: 'CSV' }) };
export const RATING_WRITE = {
  ...ATTR,
  inputNodeId: text({
    about: 'Id or `@customId` of the input. Default: the one that the rating has.',
    example: '@level',
  }),
};
export const NODE_CLONE = { ...NODE_READ, type: typeOf('Flat with the new root first, or nested.') };

const notifying = (about: string) => ({ notify: flag({ about }, false) });
export const OWNER_NOTIFY = notifying(
  'Whether people hear by mail of access that they got or lost; new ones get a welcome mail.',
);
export const OWNER_UPDATE = { ...ATTR, ...OWNER_NOTIFY };
export const SECURITY_NOTIFY = notifying('Whether the people concerned are notified by mail.');

/** `GET /owners/account/access` (docs/reference/people-and-security.md#who-has-access-where). */
export const ACCESS_LIST = {
  skip: LIST.skip,
  limit: whole({ about: 'At most this many Workspaces.' }, { min: 1, max: 100, absent: 100 }),
};

export const SUBSCRIBERS = {
  subscribeType: choice(
    { about: 'Of the node, of it and all below, or everybody with access.' },
    ['NODE', 'BRANCH', 'ALL'],
    {
      absent: 'NODE',
    },
  ),
};

export const FILE_HAND_OVER = {
  name: text({
    about: 'Name of the file, for events, for `files` of the source, and for what it is packed as.',
    example: 'station-7.csv',
  }),
};

/** Arguments of a message that a LoRaWAN network server sends. */
export const UPLINK = {
  event: text({ about: 'The event, as ChirpStack adds it; without it the type is read from the body.', example: 'up' }),
};

/** Arguments of a signed link to a file. */
export const FILE_LINK = {
  expires: text({ about: 'Unix seconds; 0 = never.' }),
  signature: text({ about: 'Of the link.' }),
};

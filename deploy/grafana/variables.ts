import { chosen, DATASOURCE, IN_WORKSPACE, OF_SITE, queryOf, text } from './queries.ts';

/** Makes a variable whose values are ids of nodes, shown by their names. */
const ofNodes = (name: string, label: string, filter: string, more: object = {}) => ({
  type: 'query',
  name,
  label,
  datasource: DATASOURCE,
  skipUrlSync: false,
  includeAll: false,
  multi: false,
  // The variable is read when the dashboard is opened; those that name another variable follow it.
  refresh: 1,
  regex: '',
  sort: 0,
  options: [],
  query: {
    refId: 'variable',
    queryType: 'infinity',
    infinityQuery: {
      refId: 'variable',
      ...queryOf({
        path: '/nodes',
        params: { filter, attr: '_id,name', sort: 'name' },
        columns: [text('name', '__text'), text('_id', '__value')],
      }),
    },
  },
  ...more,
});

const WORKSPACES = '_class($match:node.Workspace)';
const ALL = { text: 'All', value: '$__all' };

export const WORKSPACE_ALONE = ofNodes('workspace', 'Workspace', WORKSPACES);
/** The variable has «All», which the queries leave out. */
export const WORKSPACE_OR_ALL = ofNodes('workspace', 'Workspace', WORKSPACES, {
  includeAll: true,
  allValue: '*',
  current: ALL,
});
export const SITE = ofNodes(
  'site',
  'Site',
  `_class($match:.location.Location),workspaceId($eq:${chosen('workspace')})`,
);
export const PARAMETERS_OF_SITE = ofNodes('parameter', 'Parameters', OF_SITE, {
  includeAll: true,
  multi: true,
  current: ALL,
});
export const PARAMETER_WITH_ALARM = ofNodes(
  'parameter',
  'Parameter',
  `${IN_WORKSPACE}_class($match:.point.Number),states.isAlarm($eq:Boolean(true))`,
);
export const BATTERY = {
  type: 'textbox',
  name: 'battery',
  label: 'Names of batteries hold',
  skipUrlSync: false,
  query: 'batt',
  current: { text: 'batt', value: 'batt' },
  options: [],
};

import type { ClassNames } from '../body/class-names.ts';
import { type Fields, invalidAttribute, type JsonObject, type Rule, type RuleContext } from '../body/rule.ts';
import { text } from '../body/rules.ts';
import { ANY_AGGREGATION, CHART_FIELDS, type ChartSubject, chartTypeNamed, updateAggregation } from './chart.ts';

/** Charts, dashboards and reports link nodes of the same Workspace, each at most once. */
export type Link = { readonly nodeId: string; readonly name?: string } & JsonObject;

type LinkTarget = { readonly classPrefix: string; readonly what: string };
export const PARAMETER: LinkTarget = { classPrefix: 'point.', what: 'a parameter' };
export const NUMBER_PARAMETER: LinkTarget = { classPrefix: 'point.Number', what: 'a Number parameter' };
export const ANY_NODE: LinkTarget = { classPrefix: '', what: 'a node' };

/** Returns a reference that a link makes. */
export const linkTo = (target: LinkTarget): Rule => ({ kind: 'nodeRef', ...target, sameWorkspace: true });

/**
 * A link is `{nodeId, name, …}`; the name defaults to the node's.
 * @param options what the links may name, how many there may be, and their further fields
 */
export const links = (options: {
  target: LinkTarget;
  max: number;
  fields?: Fields;
  check?: (link: Link, at: string, context: RuleContext) => Link;
}): Rule => ({
  kind: 'list',
  max: options.max,
  uniqueBy: 'nodeId',
  item: {
    kind: 'checked',
    rule: {
      kind: 'object',
      fields: {
        nodeId: { required: true, rule: linkTo(options.target) },
        name: { rule: text(120) },
        ...options.fields,
      },
    },
    check: options.check ?? named,
  },
});

const named = (link: Link, _at: string, context: RuleContext): Link => ({
  ...link,
  name: link.name ?? context.findNode(link.nodeId)?.name ?? '',
});

/** A link has no defaults: a setting that it does not name is that of the parameter. */
const SETTINGS: Fields = Object.fromEntries(Object.entries(CHART_FIELDS).map(([name, { rule }]) => [name, { rule }]));

/**
 * A link is drawn by these settings (docs/reference/parameters.md#chart-settings): given attributes override the
 * parameter's own settings, the rest is as there. It is stored with `type` in place of `_class`. `aggregation` is read by
 * `chartLink`, which knows the parameter.
 */
export const LINK_CHART: Rule = {
  kind: 'checked',
  rule: {
    kind: 'object',
    fields: {
      _class: { rule: text(120) },
      aggregation: { rule: { kind: 'raw', of: ANY_AGGREGATION } },
      ...SETTINGS,
    },
  },
  check: (value: JsonObject, at, { names }) => {
    const { _class, ...rest } = value;
    if (_class === undefined) return rest;
    return { type: chartTypeNamed(_class, at, names), ...rest };
  },
};

/**
 * A link of a chart: which aggregates it may ask for depends on the parameter. Time is never drawn
 * (docs/reference/parameters.md#types).
 */
export function chartLink(link: Link, at: string, context: RuleContext): Link {
  const target = context.findNode(link.nodeId);
  if (target?.class.startsWith('point.Time'))
    throw invalidAttribute(`${at}.nodeId`, 'must be the id of a Number or Text parameter');
  const named = { ...link, name: link.name ?? target?.name ?? '' };
  const chart = link.chart as JsonObject | undefined;
  if (chart?.aggregation === undefined) return named;
  const family = target?.class.startsWith('point.Text') ? 'TEXT' : 'NUMBER';
  const subject: ChartSubject = { family, displayType: target?.displayType ?? 'VALUE' };
  const aggregation = updateAggregation(subject, {}, chart.aggregation, context, `${at}.chart.aggregation`);
  return { ...named, chart: { ...chart, aggregation } };
}

/** Returns the public form of links whose `chart` is stored as `LINK_CHART` says. */
export const linksView = (stored: readonly Link[], names: ClassNames): JsonObject[] =>
  stored.map(({ chart, ...link }) => {
    if (!chart) return link;
    const { type, ...settings } = chart as JsonObject;
    return {
      ...link,
      chart: { ...(type !== undefined && { _class: names.full(`point.chart.${type}`) }), ...settings },
    };
  });

/** A whole chart aggregates like a Number parameter that shows values. */
export const AGGREGATION: Rule = {
  kind: 'checked',
  rule: { kind: 'raw', of: ANY_AGGREGATION },
  check: (value: unknown, at, context: RuleContext) =>
    updateAggregation({ family: 'NUMBER', displayType: 'VALUE' }, {}, value, context, at),
};

/** People look at a chart, a dashboard or a report over nodes of the demonstration, which it names by their customIds. */
export type PagePlan = {
  /** The class without prefix. */
  readonly _class: 'chart.HistoricChart' | 'chart.WindRoseChart' | 'Dashboard' | 'Report';
  readonly customId: string;
  readonly name: string;
  readonly parentId: string;
  readonly [attribute: string]: unknown;
};

import type { PagePlan } from './page-plan.ts';

const PAGE = { width: 595, margin: 48 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const LINKS = ['dead-run-stage', 'dead-run-discharge'].map((customId, n) => ({
  nodeId: `@${customId}`,
  name: ['Stage', 'Discharge'][n] as string,
}));

const text = (y: number, height: number, content: string, styleId: string) => ({
  type: 'TEXT',
  x: 0,
  y,
  width: WIDTH,
  height,
  content,
  styleId,
});

/** It is about the floods, whose charts are those of their month: the one of every report ends with the day on which it is made. */
export const RIVER: PagePlan = {
  _class: 'Report',
  customId: 'dead-run-report',
  name: 'Floods on Dead Run',
  parentId: '@dead-run',
  timezone: 'America/New_York',
  isPublic: true,
  description: 'Stage and discharge of the gauge at Franklintown in June 2018',
  links: [{ nodeId: '@dead-run-flood', name: 'Flood' }, ...LINKS],
  template: {
    margins: { top: 40, right: PAGE.margin, bottom: 30, left: PAGE.margin },
    header: { enabled: false, size: 0 },
    footer: { enabled: true, size: 24, display: 'ALWAYS' },
    styles: [
      { _id: 'title', bold: true, fontSize: 22, color: '#1f2933' },
      { _id: 'section', bold: true, fontSize: 13, color: '#0b5c8a' },
      { _id: 'body', fontSize: 10, color: '#1f2933', lineSpacing: 1.3 },
      { _id: 'faint', fontSize: 9, color: '#66727f' },
      { _id: 'cell', fontSize: 10, padding: 4, borderSides: ['BOTTOM'], borderColor: '#c9d1d9', borderWidth: 0.5 },
    ],
    elements: [
      text(0, 28, '{{ THIS.name }}', 'title'),
      text(30, 14, '{{ LOCATION._path }} · {{ LOCATION.currentValueFormatted }}', 'faint'),
      text(
        54,
        44,
        'Two floods came down Dead Run within eight days of June 2018: the gauge rose to 6.17 ft on the 3rd and to 6.04 ft on the 11th, each time by more than five feet in a few hours. A state “FLOOD” begins at 4 ft, and its alarm was raised both times.',
        'body',
      ),
      { type: 'IMAGE', x: 0, y: 112, width: WIDTH, height: 320, source: '{{ Flood.image }}' },
      text(450, 18, 'At the end of the records', 'section'),
      {
        type: 'TABLE',
        x: 0,
        y: 472,
        width: WIDTH,
        styleId: 'cell',
        columns: [{ width: 169 }, { width: 110 }, { width: 110 }, { width: 110 }],
        headerRow: ['Parameter', 'Value', 'State', 'Time'].map((content) => ({ content })),
        rows: LINKS.map(({ name }) => [
          { content: `{{ ${name}.name }}` },
          { content: `{{ ${name}.currentValueFormatted }} {{ ${name}.units }}` },
          { content: `{{ ${name}.currentStateName }}` },
          { content: `{{ ${name}.currentTime | time: 'YYYY-MM-DD HH:mm' }}` },
        ]),
      },
      {
        type: 'TEXT',
        area: 'FOOTER',
        x: 0,
        y: 8,
        width: WIDTH,
        height: 14,
        styleId: 'faint',
        content: "{{ account_name }} · made {{ report_time | time: 'YYYY-MM-DD HH:mm' }} · data: USGS 01589330",
      },
    ],
  },
};

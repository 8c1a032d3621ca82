import { UTC_ZONE } from '@catchment/time';
import { lines, once, proposed } from '../test/read-proposed.ts';
import { openText } from './records/open-text.ts';

const MAKERS: readonly (readonly [string, string, readonly string[], readonly unknown[][]])[] = [
  [
    'HOBO: a title, a counter, units behind a comma',
    lines(
      '"Plot Title: 10123"',
      '"#","Date Time, GMT-04:00","Temp, °F (LGR S/N: 10123, SEN S/N: 10123)","Abs Pres, kPa (LGR S/N: 1)","Logged"',
      '1,06/16/21 02:35:28 PM,71.2,101.3,',
      '2,06/16/21 02:45:28 PM,71.5,101.2,',
      '3,06/16/21 02:55:28 PM,,,Logged',
    ),
    [
      '#|NUMBER|',
      'Temp, °F (LGR S/N: 10123, SEN S/N: 10123)|NUMBER|°F',
      'Abs Pres, kPa (LGR S/N: 1)|NUMBER|kPa',
      'Logged|TEXT|',
    ],
    [
      ['2021-06-16T14:35:28', 1, 71.2, 101.3, undefined],
      ['2021-06-16T14:45:28', 2, 71.5, 101.2, undefined],
      ['2021-06-16T14:55:28', 3, undefined, undefined, 'Logged'],
    ],
  ],
  [
    'Win-Situ: a preamble of pairs, and a rule below the names',
    lines(
      'Report Date:,6/17/2021 9:12',
      'Log File Properties',
      'File Name,a.wsl',
      'Create Date,6/17/2021 9:00',
      'Interval,Days: 0 hrs: 00 mins: 15 secs: 00',
      'Record Count,3',
      'Sensors,1',
      '1,123456,Pressure/Temp 15 PSIG (11m/35ft)',
      'Time Zone: Mountain Daylight Time',
      ',Elapsed Time,SN#: 123456,SN#: 123456',
      'Date and Time,Seconds,Pressure (PSI),Temperature (C)',
      '-----,-----,-----,-----',
      '6/16/2021 2:35:00 PM,0.000,4.321,18.2',
      '6/16/2021 2:50:00 PM,900.000,4.322,18.1',
    ),
    ['Seconds|NUMBER|', 'Pressure (PSI)|NUMBER|PSI', 'Temperature (C)|NUMBER|C'],
    [
      ['2021-06-16T14:35', 0, 4.321, 18.2],
      ['2021-06-16T14:50', 900, 4.322, 18.1],
    ],
  ],
  [
    'Diver MON: the measure of each channel in its block',
    lines(
      'Data file for DataLogger.',
      '==========',
      'DATE      : 16/06/2021',
      '[Logger settings]',
      '  Sample period             =00 00:15:00 0',
      '[Channel 1]',
      '  Identification          =PRESSURE',
      '  Range                   =2000.00 cmH2O',
      '[Channel 2]',
      '  Identification          =TEMPERATURE',
      '  Range                   =100.00 °C',
      '[Data]',
      '2',
      '2021/06/16 14:35:00.0     1012.300      18.20',
      '2021/06/16 14:50:00.0     1012.400      18.21',
    ),
    ['PRESSURE|NUMBER|cmH2O', 'TEMPERATURE|NUMBER|°C'],
    [
      ['2021-06-16T14:35', 1012.3, 18.2],
      ['2021-06-16T14:50', 1012.4, 18.21],
    ],
  ],
  [
    'Diver CSV',
    lines(
      'Data file for DataLogger.,,',
      'Serial number=..00-J1234,,',
      'Date/time,Pressure[cmH2O],Temperature[°C]',
      '2021/06/16 14:35:00,1012.3,18.2',
      '2021/06/16 14:50:00,1012.4,18.2',
    ),
    ['Pressure[cmH2O]|NUMBER|cmH2O', 'Temperature[°C]|NUMBER|°C'],
    [
      ['2021-06-16T14:35', 1012.3, 18.2],
      ['2021-06-16T14:50', 1012.4, 18.2],
    ],
  ],
  [
    'TOACI1: two lines, the counter of records is left out',
    lines(
      'TOACI1,Station,Hourly',
      'TMSTAMP,RECNBR,Batt_V,AirT_C',
      '"2021-06-16 14:00:00",0,12.5,20.1',
      '"2021-06-16 15:00:00",1,12.5,20.2',
    ),
    ['Batt_V|NUMBER|', 'AirT_C|NUMBER|'],
    [
      ['2021-06-16T14:00', 12.5, 20.1],
      ['2021-06-16T15:00', 12.5, 20.2],
    ],
  ],
  [
    'CR10 arrays: year, day of the year, hours and minutes',
    lines('101,2004,165,930,12.5', '101,2004,165,1445,12.6', '101,2004,165,2400,12.7', '101,2004,166,0,12.7'),
    ['Column 1|NUMBER|', 'Column 5|NUMBER|'],
    [
      ['2004-06-13T09:30', 101, 12.5],
      ['2004-06-13T14:45', 101, 12.6],
      ['2004-06-14T00:00', 101, 12.7],
      ['2004-06-14T00:00', 101, 12.7],
    ],
  ],
  [
    'TMY3: a station in the first line, the order of the date in its label, 24:00',
    lines(
      '724666,"DENVER",CO,-7.0,39.567,-104.850,1793',
      'Date (MM/DD/YYYY),Time (HH:MM),ETR (W/m^2),Dry-bulb (C),Dry-bulb source',
      '01/02/1995,01:00,0,-2.0,A',
      '01/02/1995,24:00,0,-2.1,A',
    ),
    ['ETR (W/m^2)|NUMBER|W/m^2', 'Dry-bulb (C)|NUMBER|C', 'Dry-bulb source|TEXT|'],
    [
      ['1995-01-02T01:00', 0, -2, 'A'],
      ['1995-01-03T00:00', 0, -2.1, 'A'],
    ],
  ],
  [
    'ZENTRA: three lines above the data, of which the first distinguishes columns',
    lines(
      'z6-01234,Port1,Port1,Port2',
      'Records: 2,TEROS 12,TEROS 12,TEROS 12',
      'Timestamps,m³/m³ Water Content,°C Soil Temperature,m³/m³ Water Content',
      '6/16/2021 2:35:00 PM,0.25,18.1,0.3',
      '6/16/2021 2:50:00 PM,0.25,18.1,0.3',
    ),
    [
      'Port1 m³/m³ Water Content|NUMBER|m³/m³',
      '°C Soil Temperature|NUMBER|°C',
      'Port2 m³/m³ Water Content|NUMBER|m³/m³',
    ],
    [
      ['2021-06-16T14:35', 0.25, 18.1, 0.3],
      ['2021-06-16T14:50', 0.25, 18.1, 0.3],
    ],
  ],
  [
    'a German spreadsheet: two digits of the year, decimal comma, groups',
    lines('Datum;Uhrzeit;Pegel [cm];Durchfluss [m³/s]', '16.06.21;14:35;1.234,5;0,5', '16.06.21;14:50;1.235,5;0,6'),
    ['Pegel [cm]|NUMBER|cm', 'Durchfluss [m³/s]|NUMBER|m³/s'],
    [
      ['2021-06-16T14:35', 1234.5, 0.5],
      ['2021-06-16T14:50', 1235.5, 0.6],
    ],
  ],
  [
    'a French spreadsheet that names its delimiter',
    lines('sep=;', 'Date;Hauteur (m);Débit (m³/s)', '16/06/2021 14:35;1,5;2,5', '16/06/2021 14:50;1,5;2,5'),
    ['Hauteur (m)|NUMBER|m', 'Débit (m³/s)|NUMBER|m³/s'],
    [
      ['2021-06-16T14:35', 1.5, 2.5],
      ['2021-06-16T14:50', 1.5, 2.5],
    ],
  ],
  [
    'Grafana: the unit behind each number',
    lines('"Time","Temp","Humidity"', '2021-06-16 14:35:00,23.4 °C,45%', '2021-06-16 14:50:00,23.5 °C,46%'),
    ['Temp|NUMBER|', 'Humidity|NUMBER|'],
    [
      ['2021-06-16T14:35', 23.4, 45],
      ['2021-06-16T14:50', 23.5, 46],
    ],
  ],
  [
    'a line of units above the names',
    lines(';mm;°C', 'Zeit;Regen;Luft', '16.06.2021 14:35;0,2;18,5', '16.06.2021 14:50;0,0;18,4'),
    ['Regen|NUMBER|mm', 'Luft|NUMBER|°C'],
    [
      ['2021-06-16T14:35', 0.2, 18.5],
      ['2021-06-16T14:50', 0, 18.4],
    ],
  ],
];

test.each(MAKERS)('%s', async (_what, text, keys, rows) => {
  const found = await proposed(text);
  expect(found.keys).toEqual(keys);
  expect(found.rows).toEqual(rows);
  expect(found.report).toMatchObject({ failed: 0, unreadableFields: 0 });
});

const FORMS: readonly (readonly [string, string])[] = [
  ['06/16/21 02:35:28 PM', '2021-06-16T14:35:28'],
  ['6/16/2021 2:35 PM', '2021-06-16T14:35'],
  ['6/16/2021 2:35:28 p.m.', '2021-06-16T14:35:28'],
  ['16.06.21 14:35', '2021-06-16T14:35'],
  ['16.06.2021, 14:35:28', '2021-06-16T14:35:28'],
  ['5.6.2021 14:35', '2021-06-05T14:35'],
  ['2021/06/16 14:35:28.123', '2021-06-16T14:35:28.123'],
  ['2021.06.16 14:35', '2021-06-16T14:35'],
  ['16-Jun-2021 14:35', '2021-06-16T14:35'],
  ['16-Jun-21 14:35:28', '2021-06-16T14:35:28'],
  ['16 June 2021 14:35', '2021-06-16T14:35'],
  ['16. März 2021 14:35', '2021-03-16T14:35'],
  ['16 août 2021 14h35', '2021-08-16T14:35'],
  ['Jun 16, 2021 2:35 PM', '2021-06-16T14:35'],
  ['Wed Jun 16 14:35:28 2021', '2021-06-16T14:35:28'],
  ['2021-06-16T14:35:28Z', '2021-06-16T14:35:28'],
  ['2021-06-16T14:35:28.5+02:00', '2021-06-16T12:35:28.500'],
  ['1623854128', '2021-06-16T14:35:28'],
  ['1623854128.5', '2021-06-16T14:35:28.500'],
  ['1623854128123', '2021-06-16T14:35:28.123'],
  ['1623854128123000000', '2021-06-16T14:35:28.123'],
  ['20260501', '2026-05-01T00:00'],
  ['20260501 1435', '2026-05-01T14:35'],
  ['20260501T143528', '2026-05-01T14:35:28'],
  ['2026050114', '2026-05-01T14:00'],
  ['202605011435', '2026-05-01T14:35'],
  ['20260501143500', '2026-05-01T14:35'],
  ['44363.6076', '2021-06-16T14:34:57'],
  ['44363.583333', '2021-06-16T14:00'],
  ['44363.60796296296', '2021-06-16T14:35:28'],
  ['16/06/21 6:05p', '2021-06-16T18:05'],
  ['44363', '2021-06-16T00:00'],
  ['16/06/2021 24:00', '2021-06-17T00:00'],
];

test.each(FORMS)('a column of times such as %s', async (text, time) => {
  const { rows, report, readings } = await proposed(`Date/Time\tlevel\n${text}\t1\n${text}\t2\n`);
  expect([rows.map(([first]) => first), report.failed, readings]).toEqual([[time, time], 0, undefined]);
});

test.each([
  [
    'the time before the date',
    'Time,Date,Level',
    ['22:00,2024-05-01,1', '22:00:30,2024-05-01,2', '22:00:30.5,2024-05-01,3', '24:00,2024-05-01,4'],
    ['2024-05-01T22:00', '2024-05-01T22:00:30', '2024-05-01T22:00:30.500', '2024-05-02T00:00'],
  ],
  [
    'a column between',
    'Date,Site,Time,Level',
    ['13/05/2024,A,22:00,1', '13/05/2024,A,9:30,2'],
    ['2024-05-13T22:00', '2024-05-13T09:30'],
  ],
  [
    'hours and minutes without a sign',
    'Date,Site,Time,Level',
    ['13/05/2024,A,2200,1', '13/05/2024,A,930,2', '13/05/2024,A,0,3', '13/05/2024,A,2400,4'],
    ['2024-05-13T22:00', '2024-05-13T09:30', '2024-05-13T00:00', '2024-05-14T00:00'],
  ],
  [
    'all forms in one column',
    'Date,Time,Level',
    ['2024-05-13,22:00,1', '2024-05-13,22:00:30,2', '2024-05-13,2210,3', '2024-05-13,930,4', '2024-05-13,10:00 PM,5'],
    ['2024-05-13T22:00', '2024-05-13T22:00:30', '2024-05-13T22:10', '2024-05-13T09:30', '2024-05-13T22:00'],
  ],
  [
    'a packed date',
    'Time,Date,Level',
    ['14:35,20240513,1', '14:50,20240513,2'],
    ['2024-05-13T14:35', '2024-05-13T14:50'],
  ],
  [
    'AM and PM in a column of their own',
    'Date,Time,AM/PM,Level',
    ['5/13/2024,2:35,PM,1', '5/13/2024,2:50,AM,2'],
    ['2024-05-13T14:35', '2024-05-13T02:50'],
  ],
  [
    'hours of the day',
    'Date,Hour,Level',
    ['2024-05-13,1,1', '2024-05-13,24,2'],
    ['2024-05-13T01:00', '2024-05-14T00:00'],
  ],
  [
    'a column for each part',
    'Year,Month,Day,Hour,Minute,Level',
    ['2024,5,13,0,0,1', '2024,5,13,23,15,2'],
    ['2024-05-13T00:00', '2024-05-13T23:15'],
  ],
  [
    'parts that are shortened',
    '#YY MM DD hh mm Level'.replaceAll(' ', ','),
    ['2024,05,13,00,10,1', '2024,05,13,23,15,2'],
    ['2024-05-13T00:10', '2024-05-13T23:15'],
  ],
  [
    'parts in another order',
    'Day,Month,Year,Time,Level',
    ['13,5,2024,7:05,1', '13,5,2024,17:05,2'],
    ['2024-05-13T07:05', '2024-05-13T17:05'],
  ],
  [
    'year, day of the year, hours and minutes',
    'Year,Julian Day,HHMM,Level',
    ['2024,134,905,1', '2024,134,2400,2'],
    ['2024-05-13T09:05', '2024-05-14T00:00'],
  ],
  [
    'a date that repeats beside a whole time',
    'Day,Recorded at,Level',
    ['2024-05-13,2024-05-13 01:00,1', '2024-05-13,2024-05-13 02:00,2'],
    ['2024-05-13T01:00', '2024-05-13T02:00'],
  ],
  [
    'a time that is a value',
    'Date,Level,Time of maximum',
    ['2024-05-13,1,13:00', '2024-05-14,2,14:00'],
    ['2024-05-13T00:00', '2024-05-14T00:00'],
  ],
])('the time of a row is joined: %s', async (_what, header, data, times) => {
  const { rows, keys, report } = await proposed(lines(header, ...data));
  expect([rows.map(([time]) => time), report.failed]).toEqual([times, 0]);
  expect(keys).toContain('Level|NUMBER|');
});

describe('day or month', () => {
  const many = (last: string) =>
    lines('t,a', ...Array.from({ length: 600 }, (_, n) => `0${(n % 9) + 1}/02/2024 10:00,${n}`), `${last} 10:00,1`);

  test.each([
    ['one day above 12, after many rows', many('13/02/2024'), '2024-02-01T10:00'],
    ['one day above 12 in second place', many('02/13/2024'), '2024-01-02T10:00'],
    ['the label', lines('Date (MM/DD/YYYY),a', '01/02/2024,1', '03/04/2024,2'), '2024-01-02T00:00'],
    [
      'the label, days first',
      lines('Date (DD/MM/YYYY HH:mm),a', '01/02/2024 10:00,1', '03/04/2024 10:00,2'),
      '2024-02-01T10:00',
    ],
    [
      'a line of the preamble',
      lines('Date format: mm/dd/yyyy', 't,a', '01/02/2024,1', '03/04/2024,2'),
      '2024-01-02T00:00',
    ],
    ['dots', lines('t;a', '01.02.2024;1', '03.04.2024;2'), '2024-02-01T00:00'],
  ])('%s decides', async (_what, text, time) => {
    const { rows, readings } = await proposed(text);
    expect([rows[0]?.[0], readings]).toEqual([time, undefined]);
  });

  test('both readings are shown where nothing decides, and neither swaps within the file', async () => {
    const text = lines('Date,Time,a', '01/02/2024,10:00,1', '03/04/2024,11:00,2');
    const { readings, why } = await proposed(text);
    expect(readings).toMatchObject([
      { format: 'D/M/YYYY H:mm', example: { text: '01/02/2024', date: '2024-02-01' } },
      { format: 'M/D/YYYY H:mm', example: { text: '01/02/2024', date: '2024-01-02' } },
    ]);
    expect(why).toContain(
      "'01/02/2024' may begin with its day or its month: the day is assumed. It is 2024-02-01 as D/M/YYYY H:mm, 2024-01-02 as M/D/YYYY H:mm.",
    );
    const longer = `${text}13/04/2024,12:00,3\n`;
    const timesBy = async (n: number) => {
      const opened = await openText(once(longer), { zone: UTC_ZONE, nowMs: 0, settings: readings?.[n]?.parser ?? {} });
      const times: string[] = [];
      for await (const { timeMs } of opened.records()) times.push(new Date(timeMs).toISOString().slice(0, 10));
      return [...times, opened.report.failed];
    };
    expect(await timesBy(0)).toEqual(['2024-02-01', '2024-04-03', '2024-04-13', 0]);
    expect(await timesBy(1)).toEqual(['2024-01-02', '2024-03-04', 1]);
  });
});

describe('columns of a proposal', () => {
  test.each([
    ['words that loggers write', ['1.5', 'Ice', 'Eqp', '***', '-9999'], ['Ice', 'Eqp', '***', '-9999']],
    ['a word of somebody', ['1', '2', '3', 'trocken', '4'], ['trocken']],
    ['6999 far from the rest', ['1', '2', '6999', '4'], ['6999']],
    ['an error of a spreadsheet', ['1', '#DIV/0!', '#N/A', '4'], ['#DIV/0!', '#N/A']],
  ])('%s are no values, and the column stays one of numbers', async (_what, values, missing) => {
    const { parser, keys, report, why } = await proposed(
      lines('t,a', ...values.map((value, n) => `2024-01-0${n + 1},${value}`)),
    );
    expect([parser.missing, keys, report.failed, report.unreadableFields]).toEqual([missing, ['a|NUMBER|'], 0, 0]);
    expect(why).toContain(`Taken for no value: ${missing.join(', ')}.`);
  });

  test.each([
    ['a value among its like', ['9000', '9999', '8500'], 'NUMBER'],
    ['as many words as numbers', ['1', 'wet', 'dry', '2'], 'TEXT'],
  ])('%s is none of them', async (_what, values, type) => {
    const { parser, keys } = await proposed(lines('t,a', ...values.map((value, n) => `2024-01-0${n + 1},${value}`)));
    expect([parser.missing, keys]).toEqual([undefined, [`a|${type}|`]]);
  });

  test('units are no longer than a parameter may have, and series beyond the limit are disabled', async () => {
    const long = 'a very long text in the place of a unit';
    const names = Array.from({ length: 165 }, (_, n) => `s${n}`);
    const text = lines(
      `t,${names.join(',')}`,
      `,${names.map((_, n) => (n < 2 ? long : 'mm')).join(',')}`,
      `2024-01-01,${names.join(',').replace(/s/g, '')}`,
      `2024-01-02,${names.join(',').replace(/s/g, '')}`,
    );
    const { keys, why, parser } = await proposed(text);
    expect(keys).toHaveLength(100);
    expect(keys[0]).toBe('s0|NUMBER|a very long text in the place…');
    expect(parser.columns).toHaveLength(166);
    expect(why).toContain('65 columns more are disabled');
  });

  test.each([
    [
      '1,234',
      ',',
      [
        "Numbers such as 1,234 are taken for ones with three decimals; set parser.decimalSeparator to '.' where they are thousands.",
      ],
    ],
    ['1,23', ',', []],
    ['1.234,5', ',', []],
    ['1 234,5', ',', []],
    ['1.23', '.', []],
  ])('the decimal separator of %s is found', async (value, separator, guesses) => {
    const { parser, report, why } = await proposed(lines('t;a;b', `2024-01-01;${value};1`, `2024-01-02;${value};2`));
    expect([parser.decimalSeparator, report.failed]).toEqual([separator, 0]);
    for (const guess of guesses) expect(why).toContain(guess);
    const auto = await openText(once(lines('t;a;b', `2024-01-01;${value};1`)), { zone: UTC_ZONE, nowMs: 0 });
    expect(auto.report.guesses.map(({ text }) => text)).toEqual(guesses);
  });

  test('one row that has a point decides for all that may be groups', async () => {
    const rows = [
      ...Array.from({ length: 500 }, (_, n) => `2024-01-01 00:00:${10 + (n % 50)};1,234`),
      '2024-01-02 00:00:00;1,234.5',
    ];
    expect((await proposed(lines('t;a', ...rows))).parser.decimalSeparator).toBe('.');
  });
});

test.each(['h', 'Hours', 'Std'])('a number %s of one row a day is a value, not an hour of the clock', async (label) => {
  const { keys, report } = await proposed(lines(`Date,${label}`, '2024-03-01,1', '2024-03-02,7', '2024-03-03,11'));
  expect([keys, report.failed]).toEqual([[`${label}|NUMBER|`], 0]);
});

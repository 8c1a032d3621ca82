// Forms of files that nobody here had seen, by what went wrong with them.
import { UTC_ZONE } from '@catchment/time';
import { lines, once, proposed } from '../test/read-proposed.ts';
import { proposeParser } from './detection/propose-parser.ts';
import { openText } from './records/open-text.ts';

const timesOf = async (text: string) => (await proposed(text)).rows.map(([time]) => time);

test.each([
  ['2024-05-23_14-35-00', '2024-05-23T14:35'],
  ['2024-05-23-14:35:00', '2024-05-23T14:35'],
  ['2024 05 23 14:35:10', '2024-05-23T14:35:10'],
  ['23MAY2024 14:35:10', '2024-05-23T14:35:10'],
  ['2024-144 14:35:10', '2024-05-23T14:35:10'],
  ['2024-144T14:35:10Z', '2024-05-23T14:35:10'],
  ['20240523T143510Z', '2024-05-23T14:35:10'],
  ['20240523T143510+0200', '2024-05-23T12:35:10'],
  ['14:35:10 23/05/2024', '2024-05-23T14:35:10'],
  ['23.05.2024 14:35:10 Uhr', '2024-05-23T14:35:10'],
  ['2024-05-23 14h35m10', '2024-05-23T14:35:10'],
  ['Thu, 23 May 2024 14:35:10 GMT', '2024-05-23T14:35:10'],
  ['Thursday, May 23, 2024 2:35:10 PM', '2024-05-23T14:35:10'],
  ['Do 23.05.2024 14:35:10', '2024-05-23T14:35:10'],
  ['05/23/2024 14:35:10:250', '2024-05-23T14:35:10.250'],
  ['2405231435', '2024-05-23T14:35'],
  ['240523143510', '2024-05-23T14:35:10'],
])('a column of times such as %s', async (text, time) => {
  const { rows, keys, report } = await proposed(`Date/Time\tlevel\n${text}\t1\n${text}\t2\n`);
  expect([rows.map(([first]) => first), keys, report.failed]).toEqual([[time, time], ['level|NUMBER|'], 0]);
});

test.each([
  [
    'a number with two decimals is no time of day',
    'Date,Level',
    ['05/27/2024,18.20', '05/26/2024,19.16', '05/25/2024,12.30'],
    ['2024-05-27T00:00', '2024-05-26T00:00', '2024-05-25T00:00'],
  ],
  [
    'unless its label says so',
    'Datum;Uhrzeit;Level',
    ['23.05.2024;14.35;1', '23.05.2024;14.50;2'],
    ['2024-05-23T14:35', '2024-05-23T14:50'],
  ],
  [
    'an interval counts from its begin',
    'DATE,START TIME,END TIME,Level',
    ['2024-05-23,14:00,14:59,0.35', '2024-05-23,15:00,15:59,0.40'],
    ['2024-05-23T14:00', '2024-05-23T15:00'],
  ],
  [
    'a day that is the same in all rows is of something else',
    'Sensor,Installed,Time,Level',
    ['S1,2019-03-01,2024-05-23 14:35,18.20', 'S1,2019-03-01,2024-05-23 14:50,19.16'],
    ['2024-05-23T14:35', '2024-05-23T14:50'],
  ],
  [
    'so is the time of the export',
    'file,exported_at,measured_at,Level',
    ['a,2024-05-24 10:00:01,2024-05-23 14:35,1', 'a,2024-05-24 10:00:02,2024-05-23 14:50,2'],
    ['2024-05-23T14:35', '2024-05-23T14:50'],
  ],
  [
    'measured comes before received',
    'received_at,measured_at,Level',
    ['2024-05-23 14:35:09,2024-05-23 14:35:00,1', '2024-05-23 14:53:01,2024-05-23 14:50:00,2'],
    ['2024-05-23T14:35', '2024-05-23T14:50'],
  ],
  [
    'a number that is named as a time comes before one that only looks like it',
    'id,ts,Level',
    ['1716474900123,1716474900000,1', '1716474900130,1716475800000,2'],
    ['2024-05-23T14:35', '2024-05-23T14:50'],
  ],
  [
    'a packed day with a packed time of day, without names',
    '',
    ['20240523 143500 1', '20240523 145000 2'],
    ['2024-05-23T14:35', '2024-05-23T14:50'],
  ],
  [
    'an old day that is named',
    'STN,YYYYMMDD,RD',
    ['905,19190711,105', '905,19190712,0'],
    ['1919-07-11T00:00', '1919-07-12T00:00'],
  ],
  [
    'dates of a preamble are above the names',
    'Periode: ,01-01-1800, tot: ,02-10-2018\nData: ,29-04-1985, tot: ,29-04-1987\nLocatie,Peildatum,Stand,X',
    ['P5,29-04-1985,2838,a', 'P5,14-05-1985,2837,b'],
    ['1985-04-29T00:00', '1985-05-14T00:00'],
  ],
  [
    'parts without names are those that go on from row to row',
    '',
    ['2024 05 23 14 182 90', '2024 05 23 15 196 -9999', '2024 05 23 16 207 107'],
    ['2024-05-23T14:00', '2024-05-23T15:00', '2024-05-23T16:00'],
  ],
  [
    'year, day of the year, hours and minutes stay what they are',
    '',
    ['60,2024,366,2300,12.5', '60,2024,366,2400,12.6', '60,2025,1,100,12.7'],
    ['2024-12-31T23:00', '2025-01-01T00:00', '2025-01-01T01:00'],
  ],
])('the time of a row: %s', async (_what, header, data, times) => {
  expect(await timesOf(lines(...(header ? [header] : []), ...data))).toEqual(times);
});

describe('a file with each time twice is read by the instant', () => {
  test.each([
    ['in UTC', 'Local Time,UTC Time,a', '2024-05-23 16:35,2024-05-23 14:35,1', '2024-05-23 16:50,2024-05-23 14:50,2'],
    ['as Unix time', 'Epoch_UTC,Local_Time,a', '1716474900,2024-05-23 16:35:00,1', '1716475800,2024-05-23 16:50:00,2'],
    [
      'with day and time of day apart',
      'Date Local,Time Local,Date GMT,Time GMT,a',
      '2024-05-23,08:35,2024-05-23,14:35,1',
      '2024-05-23,08:50,2024-05-23,14:50,2',
    ],
  ])('%s', async (_what, ...all) => {
    expect(await timesOf(lines(...all))).toEqual(['2024-05-23T14:35', '2024-05-23T14:50']);
  });

  test('a number that is no such time changes nothing', async () => {
    const text = lines('time,unix counter', '2024-05-23 14:35,1716474901', '2024-05-23 14:50,1716474902');
    expect(await timesOf(text)).toEqual(['2024-05-23T14:35', '2024-05-23T14:50']);
  });
});

describe('a year of two digits', () => {
  test.each([
    [
      'what changes from row to row is the day',
      ['24-05-23 10:00', '24-05-23 11:00', '24-05-24 10:00'],
      ['2024-05-23T10:00', '2024-05-23T11:00', '2024-05-24T10:00'],
    ],
    [
      'with slashes too, and one row a day',
      ['24/05/31 10:00', '24/06/01 10:00', '24/06/02 10:00'],
      ['2024-05-31T10:00', '2024-06-01T10:00', '2024-06-02T10:00'],
    ],
    [
      'also where it is first',
      ['23-05-24 10:00', '24-05-24 10:00', '24-05-24 11:00'],
      ['2024-05-23T10:00', '2024-05-24T10:00', '2024-05-24T11:00'],
    ],
    ['of a row a year it is no day', ['01/01/20', '01/01/21', '01/01/21'], undefined],
    [
      'with points the day is first',
      ['16.06.21', '16.06.22', '16.06.22'],
      ['2021-06-16T00:00', '2022-06-16T00:00', '2022-06-16T00:00'],
    ],
  ])('%s', async (_what, texts, times) => {
    const { rows, readings } = await proposed(lines('t;a', ...texts.map((text) => `${text};1`)));
    if (times === undefined) expect(readings?.map(({ format }) => format)).toEqual(['D/M/YY', 'M/D/YY']);
    else expect([rows.map(([time]) => time), readings]).toEqual([times, undefined]);
  });

  test('the label decides', async () => {
    expect(await timesOf(lines('Date (YY-MM-DD),a', '24-05-23,1', '24-05-23,2'))).toEqual([
      '2024-05-23T00:00',
      '2024-05-23T00:00',
    ]);
    expect(await timesOf(lines('"Date","Temp"', '"m/d/y","C"', '05/07/24,1', '05/08/24,2'))).toEqual([
      '2024-05-07T00:00',
      '2024-05-08T00:00',
    ]);
  });

  test('both readings are shown where nothing decides', async () => {
    const { why, readings } = await proposed(lines('t,a', '24-05-23 10:00,1', '24-05-23 11:00,2'));
    expect(why).toContain(
      "'24-05-23 10:00' may begin with its day or its year: the day is assumed. It is 2023-05-24 as D-M-YY H:mm, 2024-05-23 as YY-M-D H:mm.",
    );
    const [, second] = readings ?? [];
    const opened = await openText(once(lines('t,a', '24-05-23 10:00,1')), {
      zone: UTC_ZONE,
      nowMs: 0,
      settings: second?.parser ?? {},
    });
    for await (const { timeMs } of opened.records()) expect(timeMs).toBe(Date.UTC(2024, 4, 23, 10));
  });

  test('with slashes the day is taken, and the other reading is reported', async () => {
    const { why, readings } = await proposed(lines('t,a', '24/05/23 10:00,1', '24/05/23 11:00,2'));
    expect(readings).toBeUndefined();
    expect(why).toContain('which is 2023-05-24; set the format YY/M/D H:mm where it begins with its year.');
  });
});

describe('names stand above their columns', () => {
  test.each([
    [
      'day and time of day have one name',
      lines('Time             Level   Temp', '2024-05-23 14:35  1.000  18.20', '2024-05-23 14:50 11.240  19.16'),
      ['Level|NUMBER|', 'Temp|NUMBER|'],
    ],
    [
      'which may be of several words',
      lines(
        '          Date & Time              Temp            Pres',
        ' 23-May-2024 14:35:00.000       18.0000         10.1000',
        ' 23-May-2024 14:50:00.000       18.9589         10.1959',
      ),
      ['Temp|NUMBER|', 'Pres|NUMBER|'],
    ],
    [
      'rows are numbered in a column without a name',
      lines('time,level', '1,2024-05-23 14:35,1.5', '2,2024-05-23 14:50,1.6'),
      ['Column 1|NUMBER|', 'level|NUMBER|'],
    ],
    [
      'names in two lines',
      lines('\t\tTemp\tHi', 'Date\tTime\tOut\tTemp', '5/23/24\t2:35p\t61.0\t61.5', '5/23/24\t2:50p\t62.0\t62.5'),
      ['Temp Out|NUMBER|', 'Hi Temp|NUMBER|'],
    ],
    [
      'a line of the preamble that says something of each column is none of names',
      lines(
        '"Label","Level","Flow"',
        '"Units","ft","cfs"',
        '"Resolution","0.001","0.1"',
        '5/23/2024 14:35,1.2,4.0',
        '5/23/2024 14:50,1.3,4.1',
      ),
      ['Level|NUMBER|ft', 'Flow|NUMBER|cfs'],
    ],
    [
      'numbers may be names',
      lines('time,0.5,1.0', '2024-05-23 14:35,1.5,2', '2024-05-23 14:50,1.6,3'),
      ['0.5|NUMBER|', '1.0|NUMBER|'],
    ],
    [
      'names that are not aligned are parted by blanks',
      lines(
        '#YY MM DD hh mm WDIR WSPD GST',
        '#yr mo dy hr mn degT m/s m/s',
        '2024 05 23 14 50 180   7.0   9.0',
        '2024 05 23 15 00 194  17.9  19.9',
      ),
      ['WDIR|NUMBER|degT', 'WSPD|NUMBER|m/s', 'GST|NUMBER|m/s'],
    ],
    [
      'a preamble with dates ends with them',
      lines(
        'Device Model,RC-5,,',
        'Start Time,2024-05-23 14:35:00,,',
        'End Time,2024-05-23 14:50:00,,',
        'No.,Time,Temp,Humidity',
        '1,2024-05-23 14:35:00,-18.0,45',
        '2,2024-05-23 14:50:00,-17.0,46',
      ),
      ['No.|NUMBER|', 'Temp|NUMBER|', 'Humidity|NUMBER|'],
    ],
  ])('%s', async (_what, text, keys) => {
    const { keys: found, report } = await proposed(text);
    expect([found, report.failed]).toEqual([keys, 0]);
  });

  test('columns are numbered, and reported as numbered, where there are too few names', async () => {
    const { keys, why } = await proposed(
      lines('time,temp,hum', '2024-05-23 14:35,18,20,71,0', '2024-05-23 14:50,19,16,72,5'),
    );
    expect(keys).toEqual(['Column 2|NUMBER|', 'Column 3|NUMBER|', 'Column 4|NUMBER|', 'Column 5|NUMBER|']);
    expect(why).toContain('Lines have 5 fields, and there are 3 names');
  });

  test('a number that grows beyond its column is not cut', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, n) => `2024-05-23 14:${10 + n} ${n === 2 ? '-9999' : `   ${10 + n}`}   1`,
    );
    const { rows: read } = await proposed(lines(...rows));
    expect(read.map(([, value]) => value ?? null)).toEqual([10, 11, null, 13, 14, 15, 16, 17, 18, 19, 20, 21]);
  });
});

describe('units of labels', () => {
  test.each([
    ['Wind(m/s)', 'm/s'],
    ['Rain Rate(mm/hr)', 'mm/hr'],
    ['Outdoor Temperature(℃)', '℃'],
    ['Pressure (RX3000 2108:2108-1), mbar, Gate', 'mbar'],
    ['Intensity, Lux (LGR S/N: 1)', 'Lux'],
    ['ODO mg/L', 'mg/L'],
    ['Barometer - in Hg', 'in Hg'],
    ['Date (mm/dd/yyyy)', ''],
    ['Pump on', ''],
  ])('%s', async (label, units) => {
    const { keys } = await proposed(lines(`t;${label}`, '2024-05-23 14:35;1', '2024-05-23 14:50;2'));
    expect(keys).toEqual([`${label}|NUMBER|${units}`]);
  });
});

describe('numbers', () => {
  test.each([
    ['a dash', ['1', '-', '3'], ['-']],
    ['n/a', ['1', 'n/a', '3'], ['n/a']],
    ['a code of Kisters', ['123', '-777', '124'], ['-777']],
  ])('%s in the place of a number is named as missing', async (_what, values, missing) => {
    const { parser, report } = await proposed(lines('t;a', ...values.map((value, n) => `2024-01-0${n + 1};${value}`)));
    expect([parser.missing, report.unreadableFields]).toEqual([missing, 0]);
  });

  test.each([
    ['groups in a file of commas', ['"1,234"', '120', '"1,300"'], [1234, 120, 1300]],
    ['decimals in a file of commas', ['"18,25"', '"19,5"', '"1,234"'], [18.25, 19.5, 1.234]],
  ])('%s', async (_what, values, numbers) => {
    const { rows } = await proposed(lines('t,a', ...values.map((value, n) => `2024-01-0${n + 1},${value}`)));
    expect(rows.map(([, value]) => value)).toEqual(numbers);
  });

  test('a code with a comma is a text', async () => {
    const { keys, rows } = await proposed(lines('t,lat,TMP', '2024-01-01,39.8,"+0183,1"', '2024-01-02,39.8,"+0186,1"'));
    expect(keys).toEqual(['lat|NUMBER|', 'TMP|TEXT|']);
    expect(rows[0]).toEqual(['2024-01-01T00:00', 39.8, '+0183,1']);
  });
});

describe('the zone that lines above the data name', () => {
  test.each([
    [['Time Zone: Eastern Standard Time'], 'Etc/GMT+5', false],
    [['Time Zone: Mountain Daylight Time'], 'Etc/GMT+6', false],
    [['"Time Offset","-07:00:00"'], 'Etc/GMT+7', false],
    [['# UTC Offset: (UTC-07:00)'], 'Etc/GMT+7', false],
    [['UTC offset (h): -6'], 'Etc/GMT+6', false],
    [['Zeitzone;MEZ'], 'Etc/GMT-1', false],
    [['#TZUTC+1|*|'], 'Etc/GMT-1', false],
    [['#TZUTC0|*|'], 'Etc/UTC', false],
    [['#CNAMEW|*|TZMEZ|*|SANR5952050|*|'], 'Etc/GMT-1', false],
    [['Time Zone,US/Mountain'], 'America/Denver', true],
    [['"Time zone: Europe/Zurich"'], 'Europe/Zurich', true],
    [['722780,"PHOENIX SKY HARBOR",AZ,-7.0,33.450,-111.983,337'], 'Etc/GMT+7', false],
    [['LOCATION,Denver,CO,USA,TMY3,724690,39.77,-104.87,-7.0,1611.0'], 'Etc/GMT+7', false],
    [['Time zone: UTC', 'Time zone: Europe/Berlin'], undefined, undefined],
    [['times in the zone of the park', 'drop zone 4', 'Time Offset: 5'], undefined, undefined],
  ])('%j', async (above, timezone, timezoneAdjustForDst) => {
    const proposal = await proposeParser(once(lines(...above, 't,a', '2024-05-23 14:35,1', '2024-05-23 14:50,2')));
    expect([proposal.timezone, proposal.timezoneAdjustForDst]).toEqual([timezone, timezoneAdjustForDst]);
    expect(proposal.why.includes('names the zone')).toBe(timezone !== undefined);
  });

  test('counts for no times that have an offset', async () => {
    const text = lines('Time Zone: America/Denver', 't,a', '2024-05-23T14:35:00Z,1', '2024-05-23T14:50:00Z,2');
    expect((await proposeParser(once(text))).timezone).toBeUndefined();
  });

  test('may stand in the place of the label of the time', async () => {
    const text = lines('Europe/Amsterdam (+02:00),V', '2024-05-23 14:35:00,1', '2024-05-23 14:50:00,2');
    expect(await proposeParser(once(text))).toMatchObject({ timezone: 'Europe/Amsterdam', timezoneAdjustForDst: true });
  });
});

test('a second table with the widths of the first one, and other names, is not read into it', async () => {
  const table = (name: string, value: number) => [
    '# a site',
    `agency_cd\tsite_no\tdatetime\ttz_cd\t${name}`,
    '5s\t15s\t20d\t6s\t14n',
    ...[0, 1].map((n) => `USGS\t0164\t2024-05-23 1${n}:00\tUTC\t${value + n}`),
  ];
  const { rows, report } = await proposed(lines(...table('1_00060', 100), ...table('2_00065', 3)));
  expect(rows.map(([, value]) => value)).toEqual([100, 101]);
  expect(report).toMatchObject({ failed: 3, firstFailure: { line: 7 } });
  expect(report.firstFailure?.reason).toContain('begins another table');
});

test("InfluxDB's line protocol is recognized", async () => {
  const text = lines(...[1, 2, 3].map((n) => `air,host=a temp=${n}.5 171647490000000000${n}`));
  await expect(proposeParser(once(text))).rejects.toThrow("this looks like InfluxDB's line protocol");
});

test('a head of a megabyte is looked at in slices: everything else has its turn meanwhile', async () => {
  const rows = Array.from(
    { length: 19_000 },
    (_, n) => `${new Date(1.7e12 + n * 60_000).toISOString()},${n % 97},${n % 31}`,
  );
  // A millisecond passes from each look at the clock to the next one, however fast the machine is.
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1));
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await proposeParser(once(lines('time,a,b', ...rows)));
  } finally {
    clock.mockRestore();
    isOver = true;
  }
  expect(turns).toBeGreaterThan(1_000);
});

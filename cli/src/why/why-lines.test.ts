import { whyLines } from './why-lines.ts';

const FOUND = {
  name: 'Weir\u001b[31m',
  state: { sentence: 'Nothing has come for 3 days.' },
  lastContact: { time: 'T', way: 'FILE' },
  lastRecordTime: null,
  nextTry: null,
  lastFile: { name: 'a.csv', parsed: 3, lines: 4, firstError: "line 4: 'x' is no time" },
  lastError: null,
  peers: { by: 'SERVER', total: 2, silent: 1 },
  advice: [{ sentence: 'Check the server.' }],
};

test('a sentence, what is known, and what to do; nothing of it can write to the terminal what it likes', () => {
  expect(whyLines(FOUND)).toEqual([
    'Weir [31m: Nothing has come for 3 days.',
    '  last contact     T FILE',
    '  last file        a.csv: 3 of 4 lines read',
    "  its first error  line 4: 'x' is no time",
    '  others (SERVER)  1 of 2 silent',
    '- Check the server.',
  ]);
});

test('what is not known is left out', () => {
  const nothing = { lastContact: null, lastFile: null, peers: null, advice: [] };
  expect(whyLines({ ...FOUND, ...nothing })).toEqual(['Weir [31m: Nothing has come for 3 days.']);
});

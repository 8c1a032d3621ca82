import { matchColumns } from './match-columns.ts';

describe('columns of a data source write', () => {
  const known = [
    { nodeId: '1'.repeat(24), customId: 'air', name: 'Air', seriesKey: 'air_t' },
    { nodeId: '2'.repeat(24), customId: null, name: 'Wind', seriesKey: null },
  ];
  const nobody = { foreignRefs: new Set<string>(), locationId: undefined };
  const match = (columns: object[], around: Parameters<typeof matchColumns>[2] = nobody) =>
    matchColumns(
      known,
      columns.map((column, index) => ({ index, id: '', series: '', name: '', dataType: '', units: '', ...column })),
      around,
    );
  test.each([
    ['by id', { id: '1'.repeat(24) }, { kind: 'found', nodeId: '1'.repeat(24) }],
    ['by custom id', { id: '@air' }, { kind: 'found', nodeId: '1'.repeat(24) }],
    ['by stored key', { series: 'air_t', name: 'else' }, { kind: 'found', nodeId: '1'.repeat(24) }],
    ['by name, adopting the key', { series: 'wind' }, { kind: 'adopted', nodeId: '2'.repeat(24), seriesKey: 'wind' }],
    ['a random id with a name is made', { id: 'f'.repeat(24), name: 'new' }, { kind: 'created', at: 0 }],
    ['keys are case-sensitive', { series: 'AIR_T' }, { kind: 'created', at: 0 }],
    ['a name of a parameter that has a key is no match', { name: 'Air' }, { kind: 'created', at: 0 }],
  ])('%s', (_what, column, result) => expect(match([column]).matches[0]).toEqual(result));

  test.each([
    ['an unknown id alone', { id: 'f'.repeat(24) }, 'header.columns.0.id: '],
    ['a malformed id alone', { id: 'nobody' }, 'header.columns.0.id: '],
    ['nothing', {}, 'header.columns.0: id, series or name'],
    ['an unknown type', { name: 'a', dataType: 'WORD' }, 'header.columns.0.dataType: '],
    ['coordinates on a source of no Location', { name: 'a', dataType: 'COORDINATES' }, 'header.columns.0.dataType: '],
    ['long units', { name: 'a', units: 'x'.repeat(31) }, 'header.columns.0.units: '],
    ['a long key', { name: 'a'.repeat(256) }, 'header.columns.0: '],
  ])('%s is refused', (_what, column, text) => expect(() => match([column])).toThrow(text));

  test('a parameter of another source is refused even with a name', () => {
    const id = '9'.repeat(24);
    expect(() => match([{ id, name: 'a' }], { ...nobody, foreignRefs: new Set([id]) })).toThrow('header.columns.0.id');
  });
  test('coordinates go to the Location that takes them from the source', () => {
    const around = { ...nobody, locationId: '7'.repeat(24) };
    expect(match([{ name: 'pos', dataType: 'COORDINATES' }], around).matches[0]).toEqual({
      kind: 'found',
      nodeId: '7'.repeat(24),
    });
  });
  test('two columns with one key share a parameter; different keys with one name do not', () => {
    const { created, matches } = match([{ series: 'a', name: 'N' }, { series: 'b', name: 'n' }, { series: 'a' }]);
    expect(created.map(({ name, seriesKey }) => [name, seriesKey])).toEqual([
      ['N', 'a'],
      ['n (2)', 'b'],
    ]);
    expect(matches.at(2)).toEqual(matches[0]);
  });
  test('a Boolean column is a number series', () =>
    expect(match([{ name: 'door', dataType: 'boolean' }]).created[0]).toMatchObject({
      class: 'point.NumberPoint',
      isBoolean: true,
    }));
  test('a source has at most 500 parameters', () => {
    const many = Array.from({ length: 498 }, (_, i) => ({ name: `p${i}` }));
    expect(match(many).created).toHaveLength(498);
    expect(() => match([...many, { name: 'more' }])).toThrow('header.columns.498: ');
  });
});

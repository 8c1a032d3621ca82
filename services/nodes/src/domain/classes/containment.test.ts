import { checkContainment } from './containment.ts';
import type { NodeKind } from './node-class.ts';

const line = (text: string) => (text === '' ? [] : text.split('>').map((kind) => ({ kind: kind as NodeKind })));

describe('containment', () => {
  test.each<[kind: NodeKind, parent: string, allowed: boolean]>([
    ['workspace', '', true],
    ['workspace', 'workspace', false],
    ['templates', '', true],
    ['templates', 'workspace', false],
    ['templates', 'templates', false],
    ['workspace', 'templates', false],
    ['group', 'templates', true],
    ['location', 'templates', true],
    ['source', 'templates', false],
    ['dashboard', 'templates', false],
    ['location', 'templates>group', true],
    ['dashboard', 'templates>group', true],
    ['source', 'templates>location', true],
    ['location', 'templates>location>group', false],
    ['group', '', false],
    ['group', 'workspace', true],
    ['location', 'workspace', true],
    ['source', 'workspace', false],
    ['parameter', 'workspace', false],
    ['group', 'workspace>group', true],
    ['location', 'workspace>group', true],
    ['source', 'workspace>group', false],
    ['group', 'workspace>location', true],
    ['location', 'workspace>location', false],
    ['source', 'workspace>location', true],
    ['parameter', 'workspace>location', false],
    ['location', 'workspace>location>group', false],
    ['source', 'workspace>location>group', true],
    ['source', 'workspace>group>location>group>group', true],
    ['parameter', 'workspace>location>source', true],
    ['source', 'workspace>location>source', false],
    ['group', 'workspace>location>source', false],
    ['parameter', 'workspace>location>source>parameter', false],
  ])('a %s under "%s": %s', (kind, parent, allowed) => {
    const check = () => checkContainment(kind, line(parent));
    if (allowed) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ kind: 'invalid_argument', message: expect.stringMatching(/^parentId: /) }),
      );
  });

  test('the tree is at most 32 levels deep', () => {
    const levels = (n: number) => line(['workspace', ...Array(n - 1).fill('group')].join('>'));
    expect(() => checkContainment('group', levels(31))).not.toThrow();
    expect(() => checkContainment('group', levels(32))).toThrow('deeper');
  });
});

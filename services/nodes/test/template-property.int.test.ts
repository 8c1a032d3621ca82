import { seedOf } from '@catchment/testkit/amount';
import { propagateDue } from '../src/templates/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { type Random, random } from './random.ts';
import { type ModelInstance, type Shown, TemplateModel, type TemplateNode, type Values } from './template-model.ts';

/** TEMPLATE_SEED repeats a run, TEMPLATE_STEPS makes it longer or shorter. */
const SEED = seedOf('TEMPLATE_SEED');
const STEPS = Number(process.env.TEMPLATE_STEPS ?? 120);
const CLASS = 'io.svc.models.node.';

type Api = Awaited<ReturnType<Fixture['account']>>;
let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];
/** Each class has these changed attributes, with values to choose from; the first is the default. */
const ATTRIBUTES: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  'location.Location': { metadata: [[], [{ name: 'a', value: 1 }], [{ name: 'b', value: 'x' }]] },
  Group: { metadata: [[], [{ name: 'a', value: 1 }]] },
  'source.data.Jts': { intervalSeconds: [3600, 7200, 86_400], isEnabled: [true, false] },
  'point.NumberPoint': { units: ['', 'm', 'K'], multiplier: [1, 2, 3], hysteresis: [0, 1, 2] },
  'chart.HistoricChart': { description: ['', 'one', 'two'] },
};
const OVERRIDE: Readonly<Record<string, string>> = { hysteresis: 'states' };
const overrideOf = (name: string) => OVERRIDE[name] ?? name;
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  'location.Location': ['Group', 'source.data.Jts', 'chart.HistoricChart'],
  Group: ['Group', 'source.data.Jts', 'chart.HistoricChart'],
  'source.data.Jts': ['point.NumberPoint'],
};
const defaults = (cls: string): Values =>
  Object.fromEntries(Object.entries(ATTRIBUTES[cls]!).map(([name, [value]]) => [name, value]));
const isRefused = (work: Promise<unknown>) =>
  work.then(
    () => false,
    ({ kind }) => kind === 'invalid_argument',
  );

/** Some steps come more often than others. */
const WEIGHT = ['add', 'add', 'add', 'change', 'change', 'override', 'override', 'own', 'own'];

/** Makes random changes of one template and its instances, in the service and in the model. */
class Play {
  readonly api: Api;
  readonly r: Random;
  readonly model: TemplateModel;
  readonly workspace: Json;

  constructor(api: Api, r: Random, model: TemplateModel, workspace: Json) {
    this.api = api;
    this.r = r;
    this.model = model;
    this.workspace = workspace;
  }

  #nodes = () => [...this.model.nodes.values()];
  #isTaken = (parent: TemplateNode, name: string, but?: TemplateNode) =>
    this.model.children(parent).some((child) => child !== but && child.name === name);

  readonly steps: Readonly<Record<string, () => Promise<string>>> = {
    add: async () => {
      const parent = this.r.pick(this.#nodes().filter((node) => CHILDREN[node.class]));
      const cls = this.r.pick(CHILDREN[parent.class]!);
      const name = this.r.pick(NAMES);
      const points = this.#nodes().filter((node) => node.class === 'point.NumberPoint');
      const link = cls.startsWith('chart.') && points.length > 0 ? this.r.pick(points).id : undefined;
      const attempt = this.api.create(cls, name, parent.id, link === undefined ? {} : { links: [{ nodeId: link }] });
      if (this.#isTaken(parent, name)) expect(await isRefused(attempt)).toBe(true);
      else {
        const id = (await attempt)._id;
        this.model.add({ id, class: cls, name, parent, values: defaults(cls), overrides: new Set(), link });
      }
      return `${cls} ${name} under ${this.model.path(parent)}`;
    },
    change: async () => {
      const node = this.r.pick(this.#nodes());
      const [name, values] = this.r.pick(Object.entries(ATTRIBUTES[node.class]!));
      const value = this.r.pick(values);
      await this.api.update(node.id, { [name]: value });
      // Overriding one attribute overrides what belongs to it.
      this.model.set(node, name, value);
      return `${this.model.path(node)} ${name} = ${JSON.stringify(value)}`;
    },
    rename: async () => {
      const node = this.r.pick(this.#nodes());
      const name = this.r.pick(NAMES);
      const { parent } = node;
      if (!parent) return 'nothing';
      const attempt = this.api.update(node.id, { name });
      if (this.#isTaken(parent, name, node)) expect(await isRefused(attempt)).toBe(true);
      else {
        await attempt;
        node.name = name;
      }
      return `${this.model.path(node)} = ${name}`;
    },
    move: async () => {
      const movable = this.#nodes().filter(({ parent, class: cls }) => parent && !cls.startsWith('point.'));
      const folders = this.#nodes().filter(({ class: cls }) => cls === 'Group' || cls === 'location.Location');
      if (movable.length === 0) return 'nothing';
      const [node, parent] = [this.r.pick(movable), this.r.pick(folders)];
      const attempt = this.api.move(node.id, { parentId: parent.id });
      if (this.model.isBelow(parent, node) || this.#isTaken(parent, node.name, node))
        expect(await isRefused(attempt)).toBe(true);
      else {
        await attempt;
        node.parent = parent;
      }
      return `${node.name} to ${this.model.path(parent)}`;
    },
    remove: async () => {
      const node = this.r.pick(this.#nodes());
      if (!node.parent || this.r.below(2) === 0) return 'nothing';
      await this.api.remove(node.id);
      this.model.remove(node);
      return this.model.path(node);
    },
    override: async () => {
      const node = this.r.pick(this.#nodes());
      const names = Object.keys(ATTRIBUTES[node.class]!).filter(() => this.r.below(2) === 0);
      await this.api.update(node.id, { overrides: names.map(overrideOf) });
      this.model.setOverrides(node, new Set(names));
      return `${this.model.path(node)} ${names}`;
    },
    instantiate: async () => {
      if (this.model.instances.length >= 5) return 'nothing';
      const name = `I${this.r.below(1e6)}`;
      const [root] = await this.api.clone(this.model.root.id, { parentId: this.workspace._id, name });
      this.model.instantiate(root!._id, name);
      return name;
    },
    copy: async () => {
      const original = this.r.pick(this.model.instances);
      if (!original || this.model.instances.length >= 5) return 'nothing';
      const name = `C${this.r.below(1e6)}`;
      const [root] = await this.api.clone(original.rootId, { parentId: this.workspace._id, name });
      this.model.instantiate(root!._id, name, original);
      return `${original.name} to ${name}`;
    },
    own: async () => {
      const instance = this.r.pick(this.model.instances);
      if (!instance) return 'nothing';
      const node = this.r.pick(this.#nodes());
      const [name, values] = this.r.pick(Object.entries(ATTRIBUTES[node.class]!));
      const value = this.r.pick(values);
      const before = instance.values.get(node.id)!;
      const attempt = this.api.update(await this.#idIn(instance, node), { [name]: value });
      const isSame = JSON.stringify(before[name]) === JSON.stringify(value);
      if (node.overrides.has(name) || isSame) {
        await attempt;
        before[name] = value;
      } else expect(await isRefused(attempt)).toBe(true);
      return `${instance.name}${this.model.path(node)} ${name} = ${JSON.stringify(value)}`;
    },
    customId: async () => {
      const instance = this.r.pick(this.model.instances);
      if (!instance) return 'nothing';
      const node = this.r.pick(this.#nodes());
      const customId = `c${this.r.below(1e9)}`;
      await this.api.update(await this.#idIn(instance, node), { customId });
      instance.customIds.set(node.id, customId);
      return `${instance.name}${this.model.path(node)}`;
    },
    unlink: async () => {
      const instance = this.r.pick(this.model.instances);
      if (!instance || this.r.below(4) > 0) return 'nothing';
      await this.api.unlink(instance.rootId);
      const left = await this.shown(instance);
      expect([...left.values()].map((node) => ({ ...node, follows: undefined }))).toEqual(
        [...this.model.expected(instance).values()].map((node) => ({ ...node, follows: undefined })),
      );
      await this.api.remove(instance.rootId);
      this.model.instances.splice(this.model.instances.indexOf(instance), 1);
      return instance.name;
    },
  };

  async #idIn(instance: ModelInstance, node: TemplateNode): Promise<string> {
    const { list } = await this.api.list({ filter: `templateNodeId($eq:${node.id})`, attr: '_id,parentId' });
    const all = new Map((await this.api.list({ attr: '_id,parentId' })).list.map((node) => [node._id, node.parentId]));
    const isIn = (id: unknown): boolean => id === instance.rootId || (id !== undefined && isIn(all.get(id as string)));
    const found = list.find(({ _id }) => isIn(_id));
    if (found) return found._id;
    // The node is in the template only so far.
    f.clock.answerWaitMs = 5_000;
    await propagateDue(f);
    return this.#idIn(instance, node);
  }

  /** Reads the service's view of an instance, in the form of the model. */
  async shown(instance: ModelInstance): Promise<Map<string, Shown>> {
    const { list } = await this.api.list({ filter: `workspaceId($eq:${this.workspace._id})` });
    const byId = new Map(list.map((node) => [node._id, node]));
    const pathOf = (node: Json): string | undefined => {
      if (node._id === instance.rootId) return '';
      const parent = byId.get(node.parentId as string);
      const above = parent && pathOf(parent);
      return above === undefined ? undefined : `${above}/${node.name}`;
    };
    const nodes = list.flatMap((node): [string, Shown][] => {
      const path = pathOf(node);
      if (path === undefined) return [];
      const cls = String(node._class).slice(CLASS.length);
      const values = Object.fromEntries(Object.keys(ATTRIBUTES[cls]!).map((name) => [name, node[name] ?? '']));
      const target = (node.links as { nodeId: string }[] | undefined)?.[0]?.nodeId;
      const link = target === undefined ? undefined : ((byId.get(target) && pathOf(byId.get(target)!)) ?? target);
      const follows = String(node.templateNodeId);
      return [[path, { class: cls, values, follows, link, customId: node.customId as string | undefined }]];
    });
    return new Map(nodes.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** @param weighted names of steps to choose from, each as often as it should come */
async function play(seed: number, steps: number, weighted: (game: Play) => string[]): Promise<void> {
  const api = await f.account();
  const templates = await api.create('Templates', 'Templates');
  const workspace = await api.create('Workspace', 'Site');
  const top = await api.create('location.Location', 'Root', templates._id);
  const cls = 'location.Location';
  const root = { id: top._id, class: cls, name: 'Root', parent: undefined, values: defaults(cls), link: undefined };
  const r = random(seed);
  const game = new Play(api, r, new TemplateModel({ ...root, overrides: new Set() }), workspace);
  const log: string[] = [];
  await game.steps.instantiate?.();
  for (let n = 0; n < steps; n += 1) {
    // Some changes reach the instances at once, some together with later ones.
    if (r.below(4) === 0) f.clock.answerWaitMs = r.below(2) === 0 ? 5_000 : 0;
    const name = r.pick(weighted(game));
    log.push(`${name}: ${await game.steps[name]?.()}`);
    if (f.clock.answerWaitMs === 0) continue;
    await propagateDue(f);
    for (const instance of game.model.instances)
      try {
        expect(await game.shown(instance)).toEqual(game.model.expected(instance));
      } catch (error) {
        throw new Error(`${instance.name} after\n${log.slice(-12).join('\n')}`, { cause: error });
      }
  }
}

test(`instances are as a plain model has them after ${STEPS} random changes (seed ${SEED})`, async () => {
  await play(SEED, STEPS, (game) => [...Object.keys(game.steps), ...WEIGHT]);
});

test(`so they are when few nodes change much while instances are behind (seed ${SEED})`, async () => {
  const few = ['change', 'change', 'change', 'override', 'override', 'own', 'own', 'copy'];
  await play(SEED + 1, STEPS, ({ model }) => (model.nodes.size < 3 ? ['add'] : few));
});

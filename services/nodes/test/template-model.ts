/**
 * The rules of docs/reference/templates.md#changes-of-a-template, as plainly as possible: every change is copied
 * to every instance at once.
 */

export type Values = Record<string, unknown>;

export type TemplateNode = {
  readonly id: string;
  readonly class: string;
  name: string;
  parent: TemplateNode | undefined;
  values: Values;
  overrides: Set<string>;
  /** Charts show this node. */
  link: string | undefined;
};

export type ModelInstance = {
  readonly rootId: string;
  name: string;
  /** The key is the node of the template. */
  readonly values: Map<string, Values>;
  readonly customIds: Map<string, string>;
};

/** These attributes of an instance's node are compared, by the names from below the root down to it. */
export type Shown = {
  class: string;
  values: Values;
  follows: string;
  link: string | undefined;
  customId: string | undefined;
};

export class TemplateModel {
  readonly nodes = new Map<string, TemplateNode>();
  readonly instances: ModelInstance[] = [];
  readonly root: TemplateNode;

  constructor(root: TemplateNode) {
    this.root = root;
    this.add(root);
  }

  add(node: TemplateNode): void {
    this.nodes.set(node.id, node);
    for (const { values } of this.instances) values.set(node.id, { ...node.values });
  }

  set(node: TemplateNode, name: string, value: unknown): void {
    node.values[name] = value;
    for (const { values } of this.instances) if (!node.overrides.has(name)) values.get(node.id)![name] = value;
  }

  setOverrides(node: TemplateNode, overrides: Set<string>): void {
    for (const name of node.overrides)
      if (!overrides.has(name)) for (const { values } of this.instances) values.get(node.id)![name] = node.values[name];
    node.overrides = overrides;
  }

  remove(node: TemplateNode): void {
    for (const child of this.children(node)) this.remove(child);
    this.nodes.delete(node.id);
    for (const { values, customIds } of this.instances) {
      values.delete(node.id);
      customIds.delete(node.id);
    }
  }

  /** @param of another instance that is copied, with its own attributes */
  instantiate(rootId: string, name: string, of?: ModelInstance): void {
    const values = new Map(
      [...this.nodes.values()].map(({ id, values }) => [id, { ...(of?.values.get(id) ?? values) }]),
    );
    this.instances.push({ rootId, name, values, customIds: new Map() });
  }

  children(node: TemplateNode): TemplateNode[] {
    return [...this.nodes.values()].filter(({ parent }) => parent === node);
  }

  isBelow(node: TemplateNode, above: TemplateNode): boolean {
    return node === above || (node.parent !== undefined && this.isBelow(node.parent, above));
  }

  path(node: TemplateNode): string {
    return node.parent ? `${this.path(node.parent)}/${node.name}` : '';
  }

  /** Returns the expected view of an instance; a link to a node that is gone stays as the template has it. */
  expected(instance: ModelInstance): Map<string, Shown> {
    const shown = [...this.nodes.values()].map((node): [string, Shown] => {
      const target = node.link === undefined ? undefined : this.nodes.get(node.link);
      return [
        this.path(node),
        {
          class: node.class,
          values: instance.values.get(node.id)!,
          follows: node.id,
          link: target ? this.path(target) : node.link,
          customId: instance.customIds.get(node.id),
        },
      ];
    });
    return new Map(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

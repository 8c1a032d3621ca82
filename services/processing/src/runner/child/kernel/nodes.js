// The nodes that a program names: frozen references that read the current run's values, and write where they may.
// Threat: a program changes what another run, or another program of the account, reads of a node; or it names nodes that were not checked
// for it. References and attributes are frozen, an assignment that is not of an output fails, and only paths that stood in the text are found.
({ words, values, runs, options, harden, clock }) => {
  const { fail } = words;
  const { standsFor, needRecordTime, qualityOf, outputValue } = values;
  const { now, emit } = runs;
  const isProcessor = options.kind === 'processor';

  const asText = (value) =>
    Array.isArray(value) ? `${value[0]},${value[1]}` : value === undefined ? '' : String(value);
  const readAs = (family, value) => {
    if (value === null || value === undefined) return undefined;
    if (family === 'BOOLEAN' && typeof value === 'number') return value !== 0;
    return Array.isArray(value) ? [value[0], value[1]] : value;
  };

  /** These attributes lie behind the references to a node. Nothing of them can be assigned. */
  const attributesOf = options.nodes.map(({ attributes }) => {
    const target = harden(Object.assign(Object.create(null), attributes));
    return new Proxy(target, {
      get: (_, key) => (key in target ? target[key] : Object.prototype[key]),
      set: (_, key) => fail(`${String(key)} cannot be assigned`),
    });
  });

  const accessor = (name, get, set = () => fail(`${name} of this node cannot be assigned`)) => ({
    [name]: { get, set, enumerable: true },
  });
  /** An output shows what it has now, and where the program may assign it, what it gets. */
  const outputAccessors = (output, value, isAssignable) => {
    const waiting = () => (now.pending[output] ??= { timeMs: undefined, quality: null });
    const ifAssignable = (set) => (isAssignable ? set : undefined);
    return {
      ...accessor(
        'currentValue',
        value,
        ifAssignable((given) => {
          const { timeMs, quality } = waiting();
          now.pending[output] = undefined;
          const result = outputValue(options.outputs[output], given);
          if (result !== null || quality !== null) emit(output, timeMs ?? clock(), result, quality);
        }),
      ),
      ...accessor(
        'currentTime',
        () => now.pending[output]?.timeMs ?? now.outputs[output]?.timeMs,
        ifAssignable((given) => {
          waiting().timeMs = needRecordTime(given, 'currentTime');
        }),
      ),
      ...accessor(
        'currentQuality',
        () => now.pending[output]?.quality ?? now.outputs[output]?.quality,
        ifAssignable((given) => {
          waiting().quality = qualityOf(given);
        }),
      ),
      ...accessor('newestTime', () => now.outputs[output]?.timeMs),
    };
  };
  const inputAccessors = (column, value) => ({
    ...accessor('currentValue', value),
    ...accessor('currentTime', () => now.chunk.columns[column].times[now.at] ?? undefined),
    ...accessor('currentQuality', () => now.chunk.columns[column].qualities[now.at] ?? undefined),
    ...accessor('newestTime', () => now.chunk.columns[column].newestMs),
  });
  const reading = ({ node, column, output, family }) => {
    const { attributes } = options.nodes[node];
    if (output !== undefined) return () => readAs(family, now.outputs[output]?.value);
    if (column !== undefined) return () => readAs(family, now.chunk.columns[column].values[now.at]);
    return () => ('currentValue' in attributes ? attributes.currentValue : attributes.name);
  };
  const reference = (bound) => {
    const { node, column, output, isAssignable = false } = bound;
    const value = reading(bound);
    const method = (act) => ({ value: harden(act) });
    const made = Object.freeze(
      Object.create(attributesOf[node], {
        ...(output !== undefined && outputAccessors(output, value, isAssignable)),
        ...(output === undefined && column !== undefined && inputAccessors(column, value)),
        valueOf: method(() => value()),
        toString: method(() => asText(value())),
        toJSON: method(() => value()),
        [Symbol.toPrimitive]: method((hint) => {
          const current = value();
          return hint === 'string' || Array.isArray(current) ? asText(current) : current;
        }),
      }),
    );
    standsFor(made, value);
    return made;
  };

  /** The function by which a program names nodes. */
  const reader = (name) => {
    const found = new Map();
    for (const { call, text, nodes } of options.references) {
      if (call !== name) continue;
      found.set(
        text,
        nodes.map((bound) => {
          const family = name === 'BOOLEAN' ? name : options.nodes[bound.node].family;
          return reference({ ...bound, family, isAssignable: isProcessor });
        }),
      );
    }
    return harden((path) => {
      const nodes = found.get(path) ?? fail(`${name}: the path must stand in the program as a literal`);
      return name === 'NODES' ? [...nodes] : nodes[0];
    });
  };

  /** A global is read like a reference to its node, where there is one. */
  const globalReference = (node) => {
    if (node === undefined || node === null) return undefined;
    const { nodeId } = options.nodes[node];
    for (const { nodes } of options.references)
      for (const bound of nodes)
        if (options.nodes[bound.node].nodeId === nodeId && bound.column !== undefined) return reference(bound);
    return reference({ node });
  };
  const { globals } = options;
  const THIS =
    options.kind === 'parameter'
      ? reference({ node: globals.THIS, output: 0, family: options.outputs[0] })
      : reference({ node: globals.THIS });
  return {
    THIS,
    SOURCE: globalReference(globals.SOURCE),
    LOCATION: globalReference(globals.LOCATION),
    WORKSPACE: globalReference(globals.WORKSPACE),
    reader,
  };
};

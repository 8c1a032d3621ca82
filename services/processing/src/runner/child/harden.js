// Runs inside QuickJS before anything else of a realm. The value of this file is a function that leaves only the globals of a deterministic
// language, takes away what makes code of texts, and freezes all that a program can reach. It returns what freezes more. Threat: code made
// of a text, which the analysis has not read; a clock or memory that others share; a built-in object that a run changes for the kernel or
// for the next run. Prototypes that only syntax reaches are listed one by one.
(function seal(builtIns) {
  for (const key of Reflect.ownKeys(globalThis))
    if (typeof key === 'string' && !builtIns.includes(key)) delete globalThis[key];

  // Constructors of functions evaluate texts; those of generators and async functions are reached by syntax alone.
  const refuse = () => {
    throw new EvalError('code is not made of texts here');
  };
  for (const made of [() => {}, function* () {}, async () => {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(made);
    const name = prototype.constructor.name;
    const replacement = { [name]: () => refuse() }[name];
    Object.defineProperty(replacement, 'prototype', { value: prototype, writable: false });
    Object.defineProperty(prototype, 'constructor', { value: replacement, writable: true, configurable: true });
    if (name === 'Function')
      Object.defineProperty(globalThis, name, { value: replacement, writable: true, configurable: true });
  }

  const seen = new Set();
  const waiting = [];
  const reach = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    waiting.push(value);
  };
  const freezeWaiting = () => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      Object.freeze(value);
      reach(Object.getPrototypeOf(value));
      for (const key of Reflect.ownKeys(value)) {
        const property = Object.getOwnPropertyDescriptor(value, key);
        reach(property.value);
        reach(property.get);
        reach(property.set);
      }
    }
  };

  // An inherited property that cannot be written cannot be assigned on an heir either: `Mine.prototype.toString = …`
  // would do nothing. Accessors make such properties assignable.
  const assignable = (prototype, names) => {
    for (const key of names) {
      const property = Object.getOwnPropertyDescriptor(prototype, key);
      if (property === undefined || !('value' in property) || !property.configurable) continue;
      const { value, enumerable } = property;
      Object.defineProperty(prototype, key, {
        get: () => value,
        set(given) {
          if (this === prototype) return;
          Object.defineProperty(this, key, { value: given, writable: true, enumerable: true, configurable: true });
        },
        enumerable,
        configurable: true,
      });
    }
  };
  const errors = [
    Error,
    AggregateError,
    EvalError,
    InternalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  ];
  for (const { prototype } of [Object, Function, ...errors]) assignable(prototype, Reflect.ownKeys(prototype));
  for (const { prototype } of [Array, Boolean, Date, Map, Number, Promise, RegExp, Set, String])
    assignable(prototype, ['toString', 'toLocaleString', 'valueOf', 'toJSON']);

  reach(globalThis);
  for (const reached of [
    function* () {},
    async () => {},
    async function* () {},
    (function* () {})(),
    (async function* () {})(),
    [].values(),
    new Map().entries(),
    new Set().values(),
    ''[Symbol.iterator](),
    ''.matchAll(/x/g),
    Iterator.from({ next() {} }),
    [].values().map((value) => value),
    new Uint8Array(0),
  ])
    reach(Object.getPrototypeOf(reached));
  reach(refuse);
  freezeWaiting();
  return (value) => {
    reach(value);
    freezeWaiting();
    return value;
  };
});

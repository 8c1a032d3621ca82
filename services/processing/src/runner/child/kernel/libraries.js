// The libraries that a program may require: moment and everpolate.
// Threat: a library keeps what a run has set, and the next run finds it. What changes a library for others is refused, all of it is frozen,
// also the language that every moment has, and what moment-timezone must set while it reads a text is forgotten with each run.
({ words, options, harden, libraries }) => {
  const { fail, described } = words;
  const modules = new Map();
  const load = (name) => {
    if (modules.has(name)) return modules.get(name).exports;
    if (libraries[name] === undefined) return fail(`there is no library ${described(name)}`);
    const module = { exports: {} };
    modules.set(name, module);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const within = (path) => load(path.startsWith('./') ? folder + path.slice(2).replace('.js', '') : path);
    libraries[name].call(module.exports, module, module.exports, within);
    return module.exports;
  };

  /** A language keeps what it has computed of its names. All of that is computed here: a frozen one cannot keep more. */
  const sealLanguage = (language) => {
    for (const isStrict of [true, false]) {
      language.monthsParse('-', 'MMMM', isStrict);
      language.weekdaysParse('-', 'dddd', isStrict);
      for (const names of ['months', 'monthsShort', 'weekdays', 'weekdaysShort', 'weekdaysMin', 'erasName'])
        language[`${names}Regex`](isStrict);
    }
    for (const format of ['l', 'll', 'lll', 'llll']) language.longDateFormat(format);
    harden(language);
  };

  const momentState = { now: undefined, defaultZone: null };
  let momentNow;
  const sealedMoment = () => {
    const moment = load('moment-timezone');
    const refused = (what) => () => fail(`${what} changes other runs too, which is refused`);
    sealLanguage(moment.localeData());
    for (const name of ['defineLocale', 'updateLocale']) moment[name] = refused(`moment.${name}`);
    for (const name of ['locale', 'lang', 'relativeTimeThreshold', 'relativeTimeRounding']) {
      const original = moment[name];
      const reads = name === 'relativeTimeThreshold' ? 1 : 0;
      moment[name] = (...given) => (given.length > reads ? refused(`moment.${name}`)() : original(...given));
    }
    if (options.zone.packed) {
      moment.tz.add(options.zone.packed);
      harden(moment.tz.zone(options.zone.name));
    }
    for (const name of ['add', 'link', 'load', 'setDefault']) moment.tz[name] = refused(`moment.tz.${name}`);
    for (const name of ['_zones', '_names', '_links', '_countries']) delete moment.tz[name];
    momentNow = moment.now;
    momentState.now = momentNow;
    for (const name of Object.keys(momentState)) {
      const set = (given) => {
        momentState[name] = given;
      };
      Object.defineProperty(moment, name, { get: () => momentState[name], set });
    }
    moment.tz.zoneExists.didShowError = true;
    return harden(moment);
  };
  const moment = libraries.moment === undefined ? undefined : sealedMoment();

  const everpolate = () => {
    const library = load('everpolate/everpolate');
    if (!Object.isFrozen(library)) {
      // The names of docs/reference/processing-and-ratings.md beside the library's own.
      Object.assign(library, { poly: library.polynomial, regression: library.linearRegression });
      harden(library);
    }
    return library;
  };
  const require = (name) => {
    if (name === 'moment' && moment !== undefined) return moment;
    if (name === 'everpolate') return everpolate();
    return fail(`require: there are moment and everpolate, not ${described(name)}`);
  };
  const forget = () => {
    momentState.now = momentNow;
    momentState.defaultZone = null;
  };
  return { moment, require, forget };
};

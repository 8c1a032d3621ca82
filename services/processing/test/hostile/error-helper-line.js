// A line that is none, by the helper of the kernel.
// ends: mine
thrown\u005f(1e308, 'mine'); (function* () {})().throw('mine')

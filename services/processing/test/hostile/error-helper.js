// The kernel's own helper for lines, by an escape in its name, and a failure that is no statement of the program.
// ends: mine
thrown\u005f({ valueOf: function () { throw new Error('from the kernel') } }, 'mine'); (function* () {})().throw('mine')

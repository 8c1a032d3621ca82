// What lies behind the attributes of a node.
// gives: 0
var behind = Object.getPrototypeOf(THIS); var seen = behind.name === 'x' ? 1 : 0; var tries = [function () { behind.name = 'x' }, function () { Object.defineProperty(behind, 'name', { value: 'x' }) }, function () { delete behind.name }, function () { Object.setPrototypeOf(behind, { name: 'x' }) }, function () { behind.__defineGetter__('name', function () { return 'x' }) }]; for (var t of tries) { try { t() } catch (e) {} } return seen + (THIS.name === 'x' ? 2 : 0)

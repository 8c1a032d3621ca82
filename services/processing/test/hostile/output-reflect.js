// An output, by Reflect with another receiver.
// gives: 5,6
// processor
Reflect.set(NUMBER('Out'), 'currentValue', 5, {}); Reflect.set(Object.create(NUMBER('Out')), 'currentValue', 6); return 1

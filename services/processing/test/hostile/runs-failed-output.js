// An output that a run has set before it fails.
// ends: clean
// processor
var out = NUMBER('Out'); var seen = out.currentValue; out.currentValue = 1; throw new Error(seen === undefined && out.currentValue === 1 ? 'clean' : 'kept')

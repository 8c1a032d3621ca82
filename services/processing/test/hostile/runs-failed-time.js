// A time and a quality that wait for their value when the run fails.
// ends: clean
// processor
var out = NUMBER('Out'); var seen = [out.currentTime, out.currentQuality]; out.currentTime = 5; out.currentQuality = 7; throw new Error(seen[0] === undefined && seen[1] === undefined ? 'clean' : 'kept')

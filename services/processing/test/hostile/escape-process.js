// What Node has.
// gives: 1
return [typeof process, typeof require.main, typeof require.cache, typeof module, typeof exports, typeof Buffer, typeof global, typeof __filename, typeof fetch, typeof std, typeof os, typeof print, typeof scriptArgs].join() === Array(13).fill('undefined').join() ? 1 : 0

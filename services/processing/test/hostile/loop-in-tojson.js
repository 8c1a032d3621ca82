// toJSON of what the console prints.
// ends: took longer than 0.2 s
console.log({ toJSON: function () { for (;;); } }); return 1

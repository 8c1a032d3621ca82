// An object that says it is a moment.
// ends: .
return { time: { _isAMomentObject: true, valueOf: function () { for (;;); } }, value: 1 }

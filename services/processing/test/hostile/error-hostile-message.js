// An error whose message is no text.
// ends: .
throw { message: { toString: function () { for (;;); } } }

// An error whose message is an endless loop.
// ends: took longer than 0.2 s
throw { get message() { for (;;); } }

// Registered symbols stay as long as the realm.
// ends: out of memory|took longer than 0.2 s
for (var i = 0; ; i += 1) Symbol.for('name ' + i)

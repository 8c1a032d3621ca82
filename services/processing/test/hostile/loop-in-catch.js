// An endless loop that catches whatever ends it.
// ends: took longer than 0.2 s
for (;;) { try { for (;;); } catch (e) { continue } finally { continue } }
